import * as vscode from 'vscode';
import { rowCommands } from './activity/commands.ts';
import { listAgents } from './agentList.ts';
import type { Choice } from './approvals/choices.ts';
import { manageApprovals } from './approvals/manage.ts';
import { copyAgentConfiguration, insertAgentConfiguration } from './connectAgent/pick.ts';
import type { Controls } from './controls.ts';
import { showServerMenu } from './serverMenu.ts';

/** Registers every command that package.json contributes. */
export function registerCommands(controls: Controls): vscode.Disposable {
  const { server, prompt, log, extension } = controls;
  const commands: Record<string, (...args: never[]) => unknown> = {
    showServerMenu: () => showServerMenu(controls),
    startServer: () => server.start(),
    stopServer: () => server.stop(),
    restartServer: () => server.restart(),
    listAgents: () => listAgents(controls),
    manageApprovals: () => manageApprovals(controls),
    answerApproval: (choice?: Choice, id?: number) => prompt.choose(choice, id),
    allowOnce: () => prompt.choose('once'),
    deny: () => prompt.choose('deny'),
    copyAgentConfiguration: copyAgentConfiguration,
    insertAgentConfiguration: insertAgentConfiguration,
    cancelCall: rowCommands.cancelCall,
    copyCall: rowCommands.copyCall,
    disconnectAgent: rowCommands.disconnectAgent,
    showWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#connect`),
    showLog: () => log.show(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`workspaceMcp.${name}`, (...args) => attempt(run, args, log)),
    ),
    server.onDidChangeState(() => {
      const { state, error } = server;
      if (state === 'failed')
        void tell(vscode.l10n.t('Workspace MCP could not start: {0}', error?.message ?? ''), log);
    }),
  );
}

/** VS Code itself would only say that a command has failed. */
async function attempt(
  run: (...args: never[]) => unknown,
  args: unknown[],
  log: vscode.LogOutputChannel,
): Promise<void> {
  try {
    await run(...(args as never[]));
  } catch (error) {
    log.error(error as Error);
    void tell((error as Error).message, log);
  }
}

async function tell(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
