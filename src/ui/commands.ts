import * as vscode from 'vscode';
import { rowCommands } from './activity/commands.ts';
import type { Row } from './activity/items.ts';
import type { Choice } from './approvals/choices.ts';
import { questionIdOf } from './approvals/diff.ts';
import type { Controls } from './controls.ts';
import { waitingAgentsText } from './counts.ts';
import { serverCommands } from './hosting/commands.ts';
import type { WindowLog } from './log.ts';
import { reviewRow } from './review/rows.ts';

/** Registers every command that package.json contributes. */
export function registerCommands(controls: Controls): vscode.Disposable {
  const { server, prompt, proposals, texts, log, extension, review } = controls;
  const onServer = serverCommands(controls.servers.get);
  const lists = () => import('./lazyCommands.ts');
  const chooses = (choice: Choice) => (place?: Row | vscode.Uri) =>
    prompt.choose(choice, questionIdAt(place));
  const commands: Record<string, (...args: never[]) => unknown> = {
    showServerMenu: async () => (await lists()).showServerMenu(controls),
    startServer: () => server.start(),
    stopServer: () => stopTellingWhoWaits(controls),
    restartServer: async () => {
      await controls.agents.refuseWaiting();
      await server.restart();
    },
    listAgents: () => vscode.commands.executeCommand('workspaceMcp.agents.focus'),
    manageApprovals: async () => (await lists()).manageApprovals(controls),
    answerApproval: () => prompt.choose(),
    allowOnce: chooses('once'),
    allowForSession: chooses('session'),
    deny: chooses('deny'),
    denyWithReason: chooses('denyReason'),
    reviewAgentChanges: async (place?: unknown) => (await review()).open(reviewRow(place)),
    nextAgentChange: async () => (await review()).go(1),
    previousAgentChange: async () => (await review()).go(-1),
    revertAgentChange: async (place?: unknown) => (await review()).revert(reviewRow(place)),
    followAgent: async () => (await controls.following()).toggle(),
    acceptProposal: proposals.accept,
    discardProposal: proposals.discard,
    copyAgentConfiguration: async () => (await lists()).copyAgentConfiguration(),
    connectAgent: async () => (await lists()).connectAgent(controls),
    removeFromAgents: async () => (await lists()).removeFromAgents(controls),
    cancelCall: rowCommands.cancelCall,
    copyCall: rowCommands.copyCall,
    disconnectAgent: rowCommands.disconnectAgent,
    showWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#connect`),
    runDoctor: async () =>
      texts.show(
        'Workspace MCP Doctor.txt',
        await withProgress(async () => (await lists()).examine(controls)),
      ),
    addServer: async () => (await lists()).addServer(await controls.servers.get()),
    approveServer: onServer.approveServer,
    signInToServer: onServer.signInToServer,
    hostServer: onServer.hostServer,
    startHostedServer: onServer.startHostedServer,
    stopHostedServer: onServer.stopHostedServer,
    restartHostedServer: onServer.restartHostedServer,
    editServer: onServer.editServer,
    removeServer: onServer.removeServer,
    showServerLog: onServer.showServerLog,
    reviewServerTool: onServer.reviewServerTool,
    explainAccess: async (place?: vscode.Uri) => (await lists()).explainAccess(controls, place),
    newPromptFromSelection: async () => (await lists()).newPromptFromSelection(),
    previewPrompt: async (place?: vscode.Uri) => (await lists()).previewPrompt(controls, place),
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

/** With progress, because another window may take seconds to answer. */
const withProgress = (task: () => Promise<string>): Thenable<string> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Running the doctor…') },
    task,
  );

/** Tells the user how many agents wait: few agents show that themselves. */
async function stopTellingWhoWaits({ agents, server }: Controls): Promise<void> {
  const { length: count } = agents.all;
  await agents.refuseWaiting();
  server.stop('stopped');
  if (count > 0) void vscode.window.showInformationMessage(waitingAgentsText(count));
}

/** The question whose row or diff has the clicked button. */
function questionIdAt(place: Row | vscode.Uri | undefined): number | undefined {
  if (place instanceof vscode.Uri) return questionIdOf(place);
  return place?.kind === 'question' ? place.question.id : undefined;
}

/** Shows the error message: VS Code alone would only say that a command failed. */
async function attempt(run: (...args: never[]) => unknown, args: unknown[], log: WindowLog): Promise<void> {
  try {
    await run(...(args as never[]));
  } catch (error) {
    log.error(error as Error);
    void tell((error as Error).message, log);
  }
}

async function tell(message: string, log: WindowLog): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
