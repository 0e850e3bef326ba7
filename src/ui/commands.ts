import * as vscode from 'vscode';
import type { Proposal } from '../access/consent/types.ts';
import { copyCall } from './activity/callText.ts';
import type { Row } from './activity/items.ts';
import type { Choice } from './approvals/choices.ts';
import { questionIdOf } from './approvals/diff.ts';
import type { Controls } from './controls.ts';
import { openDefinition } from './hosting/definitions.ts';
import type { Servers } from './hosting/servers.ts';
import type { WindowLog } from './log.ts';
import { showMessage, waitingAgentsText, withProgress } from './messages.ts';
import { reviewPlace } from './review/rows.ts';
import { rememberStopped } from './settings.ts';
import { type ServerRow, serverRow } from './treeItem.ts';

/** Registers every command that package.json contributes. */
export function registerCommands(controls: Controls): vscode.Disposable {
  const { server, prompt, proposals, plans, texts, log, extension, review, threads } = controls;
  /** The commands of servers' rows: each gets its row, and the code of servers. */
  const onRow = (run: (servers: Servers, row: ServerRow) => unknown) => async (place?: unknown) => {
    const row = serverRow(place);
    if (row) await run(await controls.servers.get(), row);
  };
  const lists = () => import('./lazyCommands.ts');
  const chooses = (choice: Choice) => (place?: Row | vscode.Uri) =>
    prompt.choose(choice, questionIdAt(place));
  const commands: Record<string, (...args: never[]) => unknown> = {
    showServerMenu: async () => (await lists()).showServerMenu(controls),
    startServer: async () => {
      await rememberStopped(controls.context.workspaceState, false);
      await server.start();
    },
    stopServer: () => stopAndShowWaiting(controls),
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
    reviewAgentChanges: async (place?: unknown) => (await review()).open(reviewPlace(place)),
    nextAgentChange: async () => (await review()).go(1),
    previousAgentChange: async () => (await review()).go(-1),
    keepAgentChange: async (place?: unknown) => (await review()).keep(reviewPlace(place)),
    revertAgentChange: async (place?: unknown) => (await review()).revert(reviewPlace(place)),
    writeComment: async (reply: vscode.CommentReply) => (await threads()).write(reply),
    editComment: async (one: vscode.Comment) => (await threads()).edit(one),
    saveComment: async (one: vscode.Comment) => (await threads()).save(one),
    cancelComment: async (one: vscode.Comment) => (await threads()).cancel(one),
    deleteComment: async (one: vscode.Comment) => (await threads()).remove(one),
    resolveThread: async (one: vscode.CommentThread) => (await threads()).resolve(one, true),
    reopenThread: async (one: vscode.CommentThread) => (await threads()).resolve(one, false),
    deleteThread: async (one: vscode.CommentThread) => (await threads()).removeThread(one),
    nextShownPlace: async (one: vscode.CommentThread) => (await threads()).go(one, 1),
    previousShownPlace: async (one: vscode.CommentThread) => (await threads()).go(one, -1),
    closeThread: async (one: vscode.CommentThread) => (await threads()).removeThread(one),
    resolveAllComments: async () => (await threads()).resolveAll(),
    copyComments: async () => (await threads()).copy(),
    sendToAgent: async (...given: unknown[]) => (await lists()).sendToAgent(controls, ...given),
    sendTerminalSelectionToAgent: async () => (await lists()).sendTerminalSelectionToAgent(controls),
    followAgent: async () => (await controls.follower()).toggle(),
    showProposal: (row?: Row) => proposals.show(row?.kind === 'proposal' ? row.proposal : undefined),
    acceptProposal: (place?: Row | vscode.Uri) => proposals.accept(proposalAt(place)),
    discardProposal: (place?: Row | vscode.Uri) => proposals.discard(proposalAt(place)),
    copyAgentConfiguration: async () => (await lists()).copyAgentConfiguration(),
    writePlannedChange: plans.write,
    cancelPlannedChange: plans.cancel,
    connectAgent: async () => (await lists()).connectAgent(controls),
    removeFromAgents: async () => (await lists()).removeFromAgents(controls),
    stopRun: (row?: Row) => row?.kind === 'run' && row.run.running?.stop('user'),
    showRun: (row?: Row) =>
      row?.kind === 'debuggee'
        ? vscode.commands.executeCommand('workbench.view.debug')
        : row?.kind === 'run' && row.run.running?.reveal?.(),
    cancelCall: (row?: Row) => row?.kind === 'call' && row.agent.cancel(row.call),
    copyCall: (row?: Row) => row?.kind === 'call' && copyCall(row.call),
    disconnectAgent: (row?: Row) => row?.kind === 'agent' && row.agent.disconnect(),
    showWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#connect`),
    runDoctor: async () => {
      const run = async () => (await lists()).doctorReport(controls);
      const report = await withProgress(vscode.l10n.t('Running the doctor…'), run);
      await texts.show('Workspace MCP Doctor.txt', report);
    },
    addServer: async () => (await lists()).addServer(await controls.servers.get()),
    approveServer: onRow((servers, { server }) => server && servers.askForTrust(server)),
    signInToServer: onRow((servers, { server }) => server && servers.signIn(server)),
    hostServer: onRow((servers, { found }) => servers.host(found)),
    startHostedServer: onRow((servers, { server }) => server && servers.start(server)),
    stopHostedServer: onRow((_, { server }) => server?.halt()),
    restartHostedServer: onRow((servers, { server }) => server && servers.start(server)),
    editServer: onRow((_, { server, found = server?.config }) => found && openDefinition(found)),
    removeServer: onRow((servers, { server }) => server && servers.remove(server)),
    showServerLog: onRow((servers, { server }) => server && servers.showLog(server)),
    reviewServerTool: onRow((servers, row) => servers.reviewTool(row)),
    explainAccess: async (place?: vscode.Uri) => (await lists()).showAccess(controls, place),
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
        void showError(vscode.l10n.t('Workspace MCP could not start: {0}', error?.message ?? ''), log);
    }),
  );
}

/** Tells the user how many agents wait: few agents show that themselves. */
async function stopAndShowWaiting({ agents, server, context }: Controls): Promise<void> {
  const { length: count } = agents.all;
  await rememberStopped(context.workspaceState, true);
  await agents.refuseWaiting();
  server.stop('stopped');
  if (count > 0) void vscode.window.showInformationMessage(waitingAgentsText(count));
}

/** The proposal whose row or diff has the clicked button. */
const proposalAt = (place: Row | vscode.Uri | undefined): Proposal | vscode.Uri | undefined =>
  place instanceof vscode.Uri ? place : place?.kind === 'proposal' ? place.proposal : undefined;

const isReply = (place: unknown): boolean =>
  typeof place === 'object' && place !== null && 'thread' in place && 'text' in place;

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
    void showError((error as Error).message, log);
    if (isReply(args[0])) throw error; // VS Code keeps what was written then
  }
}

const showError = (message: string, log: WindowLog): Promise<void> =>
  showMessage('Error', message, [[vscode.l10n.t('Show Log'), () => log.show()]]);
