import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Grant } from './core/grants.ts';
import type { Hosting } from './hosting/index.ts';
import { windowsOf } from './ipc/dial.ts';
import { stateDirectory } from './ipc/windowRecord.ts';
import { KeptSessionGrants } from './server/sessionGrants.ts';
import type { Sessions } from './server/sessions.ts';
import type { WindowServer } from './server/windowServer.ts';
import { Reports } from './services/language/reports.ts';
import { showActivity } from './ui/activity/view.ts';
import { Agents } from './ui/agents.ts';
import { notifyOfTurnEnds } from './ui/approvals/notice.ts';
import { ApprovalPrompt } from './ui/approvals/prompt.ts';
import { breakpointStore, consentStore, grantStore, removeLeftBreakpoints } from './ui/approvals/store.ts';
import { registerCommands } from './ui/commands.ts';
import { commentsLater } from './ui/commentsLater.ts';
import { offerLater, recordConnections, serveEditorAgent } from './ui/connectAgent/atStart.ts';
import type { ServerDefinition } from './ui/connectAgent/serverDefinition.ts';
import { type Controls, setContextKeys } from './ui/controls.ts';
import { createHosting, processRecord, ServersLater } from './ui/hosting/serversLater.ts';
import { HttpLater } from './ui/http/httpLater.ts';
import { lazily } from './ui/lazily.ts';
import { WindowLog } from './ui/log.ts';
import { showStatus } from './ui/menus/statusBar.ts';
import { showPromptProblems } from './ui/prompts/promptProblems.ts';
import { PlannedChanges } from './ui/proposals/plannedChanges.ts';
import { Proposals } from './ui/proposals/proposals.ts';
import { ReadOnlyTexts } from './ui/readOnlyTexts.ts';
import { requireCached } from './ui/requireCached.ts';
import { reviewLater } from './ui/reviewLater.ts';
import { offerOnProblems } from './ui/send/lightBulb.ts';
import { isStopped, startsAutomatically, warnOfPattern } from './ui/settings.ts';
import {
  createWindowServer,
  editorData,
  shareWindowId,
  userFolder,
  wantedWindowId,
} from './ui/windowServer.ts';
import { Journal } from './workspace/edit/journal.ts';

/** What VS Code waits for at the end, for some seconds; it disposes of all subscriptions before. */
let close: () => Promise<void> = async () => {};
export const deactivate = (): Promise<void> => close();

/** What other extensions get of this one. */
interface WindowApi {
  /** How they start an agent's server for this window. */
  getServerDefinition(): Promise<ServerDefinition>;
}

/** Starts the server of this window; what an agent needs of it is loaded with the first connection. */
export function activate(context: vscode.ExtensionContext): WindowApi {
  const { extension, subscriptions } = context;
  const log = new WindowLog();
  const agents = new Agents();
  const prompt = new ApprovalPrompt(context.extensionUri);
  const proposals = new Proposals();
  const texts = new ReadOnlyTexts();
  const plans = new PlannedChanges(texts);
  const reports = new Reports(vscode);
  const journal = new Journal();
  const store = consentStore(context.workspaceState, context.globalState);
  const grants = new KeptSessionGrants({
    store: grantStore(context.workspaceState),
    isTrusted: () => vscode.workspace.isTrusted,
    log,
  });
  const granted = new Set<Grant>();
  const questions = lazily(async () => {
    const { hostedQuestions } = await import('./ui/lazyCommands.ts');
    const approvals = async () => (await loadSessions()).approvals;
    return hostedQuestions({ store, granted, prompt, approvals });
  });
  const loadProtocol = lazily(async () => {
    const cache = vscode.Uri.joinPath(context.globalStorageUri, 'protocol.code').fsPath;
    const path = join(__dirname, 'protocol.cjs');
    return requireCached<typeof import('./server/sessions.ts')>(path, cache, require);
  });
  const loadHosting = lazily(async (): Promise<Hosting> => {
    const { Hosting } = await loadProtocol();
    const hosting = createHosting({
      HostingClass: Hosting,
      context,
      id: server.id ?? wantedWindowId(context),
      log,
      questions,
    });
    close = () => closeServer(hosting.dispose());
    return hosting;
  });
  const review = reviewLater({
    agents,
    journal,
    log,
    storage: context.storageUri,
    editorData: editorData(context),
    load: loadProtocol,
  });
  const comments = commentsLater(context.storageUri, log);
  const loadSessions = lazily(async (): Promise<Sessions> => {
    const { Sessions } = await loadProtocol();
    const window = {
      vscode,
      log,
      reports,
      warnOfPattern,
      journal,
      hosting: await loadHosting(),
      id: () => server.id ?? '',
      extensionVersion: extension.packageJSON.version,
      windows: windowsOf(stateDirectory(), () => server.id),
      editorData: controls.editorData,
      userFolder: userFolder(context),
      breakpoints: breakpointStore(context.workspaceState),
      comments: comments.comments,
      consent: { ask: prompt.ask, inquire: prompt.inquire, propose: proposals.propose, store, grants },
    };
    const { changed: onDidChangeAgents, callsChanged: onDidChangeCalls } = agents;
    const { authors } = await review.edits();
    const sessions = new Sessions({
      window,
      home: stateDirectory(),
      authors,
      onDidChangeAgents,
      onDidChangeCalls,
    });
    agents.follow(sessions);
    subscriptions.push(sessions.approvals.onDidChange(prompt.queueChanged));
    return sessions;
  });
  const server = createWindowServer(context, log, {
    openSession: async (socket, peer) =>
      peer.purpose === 'doctor'
        ? (await import('./ui/lazyCommands.ts')).answerDoctor(socket, controls)
        : (await loadSessions()).open(socket, peer),
    knowsSession: (resume) => grants.knows(resume) || review.knowsEditsOf(resume),
  });
  const http = new HttpLater(async () => {
    const { HttpService } = await import('./ui/lazyCommands.ts');
    return new HttpService({
      server,
      log,
      secrets: context.secrets,
      memory: context.workspaceState,
      protocol: async () => {
        const { classifyInboundRequest: classify, LEGACY_VERSIONS: versions } = await loadProtocol();
        return { classify, versions };
      },
      serve: async (channel, peer) => (await loadSessions()).serve(channel, peer),
    });
  }, log.error);
  const servers = new ServersLater({
    agents,
    log,
    hosting: loadHosting,
    load: async () => {
      const { Servers } = await import('./ui/lazyCommands.ts');
      return new Servers({ hosting: await loadHosting(), agents, texts, plans });
    },
  });
  const controls: Controls = {
    server,
    agents,
    prompt,
    proposals,
    plans,
    texts,
    store,
    granted,
    journal,
    log,
    extension,
    context,
    ...review,
    threads: comments.threads,
    http,
    servers,
    promptPreview: async () => (await loadSessions()).promptPreview(),
    editorData: editorData(context),
  };
  const getServerDefinition = async () => (await import('./ui/lazyCommands.ts')).serverDefinition(controls);
  const stopping = stopAtTheEnd(server);
  const closeServer = async (hosting?: Promise<void>) => {
    await agents.close();
    stopping.dispose();
    await review.closeEdits();
    comments.close();
    await hosting;
    log.dispose(); // last: what goes wrong is still logged
  };
  close = () => closeServer();
  subscriptions.push(
    ...[grants, reports, agents, prompt, review, comments, proposals, servers, http, plans, texts],
    notifyOfTurnEnds(journal),
    recordConnections(agents, context.globalState),
    registerCommands(controls),
    vscode.commands.registerCommand('workspaceMcp.getServerDefinition', getServerDefinition),
    setContextKeys(controls),
    showStatus(controls),
    showActivity(controls),
    showPromptProblems(controls),
    offerOnProblems(),
    shareWindowId(server, context.environmentVariableCollection),
    serveEditorAgent(controls, async (change) =>
      (await import('./ui/lazyCommands.ts')).createEditorAgent(controls, change),
    ),
    offerLater(controls, async () => (await import('./ui/lazyCommands.ts')).offerToConnect(controls)),
  );
  const left = removeLeftBreakpoints(vscode, breakpointStore(context.workspaceState));
  if (left) subscriptions.push(left);
  const endLeftovers = () => {
    if (existsSync(processRecord(server.id ?? wantedWindowId(context)))) void loadHosting();
  };
  const starts = startsAutomatically() && !isStopped(context.workspaceState);
  const started = starts ? server.start().then(endLeftovers) : Promise.resolve();
  started.then(review.restore).catch(log.error);
  started.then(comments.start, comments.start).catch(log.error);
  return { getServerDefinition };
}

/** A window that closes while it is still starting is not deactivated: its process just ends, or is told to by a signal. */
function stopAtTheEnd(server: WindowServer): vscode.Disposable {
  const stop = () => server.stop();
  // Not with once: without a listener, a signal that comes meanwhile would end the process before it has stopped.
  const stopAndEnd = () => {
    stop();
    process.off('SIGTERM', stopAndEnd);
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM'); // as without us
  };
  process.once('exit', stop);
  process.on('SIGTERM', stopAndEnd);
  return new vscode.Disposable(() => {
    process.off('exit', stop);
    process.off('SIGTERM', stopAndEnd);
    stop();
  });
}
