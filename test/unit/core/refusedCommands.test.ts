import assert from 'node:assert/strict';
import { refusedCommand } from '../../../src/core/refusedCommands.ts';

/** Ids of VS Code 1.139, by the reason. */
const REFUSED = {
  internal: '_workbench.open _remoteCLI.openExternal _setContext _typescript.applyWorkspaceEdit \u200b_x .x',
  lsp_request: 'vscode.executeDocumentSymbolProvider vscode.executeCodeActionProvider vscode.prepareRename',
  'answers for': `notification.acceptPrimaryAction notifications.clearAll quickInput.accept list.select
    workbench.action.acceptSelectedQuickOpenItem workspaceMcp.allowOnce workspaceMcp.manageApprovals WORKSPACEMCP.x
    workbench.view.extension.workspaceMcp refactorPreview.apply workbench.action.quickPickManyToggle`,
  'runs programs': `runCommands workbench.action.terminal.sendSequence workbench.action.terminal.runSelectedText
    workbench.action.terminal.newWithProfile openInTerminal workbench.action.tasks.runTask workbench.action.debug.start
    debug.startFromConfig vscode.runTestsById testing.runAll testing.debug.uri repl.execute interactive.execute
    notebook.cell.execute notebook.section.runSingleCell notebook.section.runCells notebook.cell.cancelExecution
    notebook.cancelExecution notebook.interruptExecution notebook.moreRunActions runToLine command.run
    vscode.startContinuousTestRun vscode.stopContinuousTestRun typescript.tsserverRequest editor.action.codeAction
    editor.action.organizeImports editor.action.openLink`,
  'starts a chat': `workbench.action.chat.acceptTool workbench.action.chat.open inlineChat.start workbench.mcp.resetTrust
    github.copilot.chat.review agentSession.delete chatEditing.acceptAllFiles lm.addLanguageModelsProviderGroup
    workbench.command.new.skill workbench.command.new.instructions search.action.searchWithAI
    workbench.action.edits.addFilesFromReferences scm.input.triggerSetup scm.editor.triggerSetup`,
  'signs in':
    'workbench.actions.accounts.signIn workbench.action.manageAccounts github.signin azure.sign-out aws.login my.signInToServer x.userLogIn',
  installs:
    `workbench.extensions.installExtension workbench.extensions.uninstallExtension extension.bisect.start
    workbench.extensions.action.installVSIX update.install workbench.agentPlugins.forceUpdate`.replace(
      /\S*agent\S*/,
      '',
    ),
  reconfigures: `workbench.action.quit workbench.action.closeWindow workbench.action.closeFolder setContext
    workbench.action.reloadWindow workbench.action.restartExtensionHost workbench.action.newWindow vscode.newWindow
    vscode.openFolder workbench.trust.manage workbench.trust.configure workbench.profiles.actions.manageProfiles
    settings.resetSetting workbench.action.openSettingsJson workbench.action.setLogLevel addRootFolder
    workbench.action.toggleZenMode workbench.action.resetUserData workbench.action.toggleConfirmBeforeClose
    workbench.action.manageTrustedDomain git.openWorktreeInNewWindow workbench.userDataSync.actions.turnOn
    workbench.action.output.activeOutputLogLevelDefault`,
  'behind the user': `type default:type paste default:paste undo deleteLeft compositionType insertSnippet
    workbench.action.files.revert workbench.action.revertAndCloseActiveEditor editor.action.clipboardPasteAction
    editor.action.insertSnippet search.action.replaceAll search.action.getSearchResults deleteFile moveFileToTrash
    workbench.action.localHistory.restore`,
  network:
    'simpleBrowser.show workbench.action.url.openUrl remote.tunnel.forwardCommandPalette explorer.download',
};

const OFFERED = `editor.action.fontZoomIn editor.foldAll workbench.action.toggleSidebarVisibility vscode.open vscode.diff
  workbench.action.closeActiveEditor workbench.view.explorer editor.action.formatDocument typescript.goToProjectConfig
  editor.action.showReferences workbench.action.gotoLine workbench.action.findInFiles workbench.action.splitEditor
  notebook.revealRunningCell notebook.cell.edit vscode.revealTest editor.action.trimTrailingWhitespace`;

const idsOf = (ids: string): string[] => ids.trim().split(/\s+/);

describe('core/refusedCommands', () => {
  for (const [why, ids] of Object.entries(REFUSED))
    it(`refuses what ${why}`, () => {
      for (const id of idsOf(ids)) assert.ok(refusedCommand(id, true), id);
    });

  it('says why', () => {
    assert.match(refusedCommand('workspaceMcp.allowOnce', true) ?? '', /answers for the user/);
    assert.match(refusedCommand('runCommands', true) ?? '', /by their names/);
    assert.match(refusedCommand('vscode.executeHoverProvider', true) ?? '', /lsp_request/);
  });

  it('offers others', () => {
    for (const id of idsOf(OFFERED)) assert.equal(refusedCommand(id, true), undefined, id);
  });

  it('judges those of extensions by less, but for ids that look as those of VS Code', () => {
    for (const id of idsOf(
      'git.commitAll go.tools.install go.runner shop.truncate git.fetchPrune shop.saveAll prettier.restoreFile typescript.restartTsServer',
    ))
      assert.equal(refusedCommand(id, false), undefined, id);
    const same =
      'workbench.action.quit x.reloadWindow multiCommand.execute python.execInTerminal x.executeCommand npm.runScript my.login jupyter.runallcells jupyter.execSelectionInteractive python.execInREPL';
    for (const id of idsOf(same)) assert.ok(refusedCommand(id, false), id);
  });
});
