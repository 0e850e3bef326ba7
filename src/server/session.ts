import type { JSONRPCRequest, ProtocolEra, RequestId, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type * as vscode from 'vscode';
import type { Grantee } from '../access/consent/types.ts';
import { isUnwantedFor } from '../core/cancelled.ts';
import type { ConnectedAgent } from '../core/connectedAgent.ts';
import type { Fields } from '../core/json.ts';
import { declaresApps } from '../core/mcpExtensions.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { features as allFeatures } from '../features/index.ts';
import type { Window, WindowServices } from '../features/windowServices.ts';
import { ListenRequests } from '../protocol/listenRequests.ts';
import { createServer } from '../protocol/server.ts';
import { Subscriptions } from '../protocol/subscriptions.ts';
import type { CallTask } from '../protocol/tasks/callTask.ts';
import type { Tasks } from '../protocol/tasks/tasks.ts';
import { ownNames } from '../protocol/toolList.ts';
import type { WireReply } from '../protocol/wire/requests.ts';
import { type Channel, type RequestHooks, Wire } from '../protocol/wire/wire.ts';
import { whenDifferent } from '../util/events.ts';
import {
  Activity,
  type ActivityCall,
  type Agent,
  type AgentInfo,
  capabilitiesIn,
  introduced,
  sessionOfCall,
} from './agent.ts';
import { ClientRoots } from './clientRoots.ts';
import type { AuthorIds } from './edits/authorIds.ts';
import type { AgentPeer } from './listener.ts';

export interface SessionOptions {
  window: Window;
  /** The state directory, where tasks are kept; if left out, they end with the window. */
  home?: string;
  /** Gives agents their ids; if left out, each connection is another agent. */
  authors?: AuthorIds;
  onDidChangeAgents(agents: readonly Agent[]): void;
  onDidChangeCalls?(): void;
  /** For tests. */
  features?: Features;
}

interface SessionPlace {
  id: number;
  peer: AgentPeer;
  onDidMeet(): void;
  onDidChangeCalls(): void;
}

/** How long a cancellation may be under way while a task is answered, in milliseconds. */
const CROSSING = 5_000;

/** One connection: owns its protocol server and ends with the channel. */
export class AgentSession implements RequestHooks {
  agent: Agent | undefined;
  readonly #channel: Channel;
  readonly #place: SessionPlace;
  readonly #activity: Activity;
  readonly #grantee: Grantee;
  #author: ConnectedAgent;
  readonly #roots: ClientRoots;
  /** From its first `subscriptions/listen` on. */
  #listens: ListenRequests | undefined;
  readonly #wire: Wire;
  /** Calls that go on as tasks. */
  readonly #tasks = new Map<ActivityCall, CallTask>();
  /** Shared by all servers of the connection. */
  readonly #parts: Omit<Parameters<typeof createServer>[0], 'era' | 'outbox' | 'roots' | 'onRootsListed'>;
  #server: Server | undefined;
  #announcing: Announcing | undefined;

  constructor(
    channel: Channel,
    shared: WindowServices,
    tasks: Tasks,
    options: SessionOptions,
    place: SessionPlace,
  ) {
    const { window, features = allFeatures } = options;
    const { id, peer } = place;
    this.#channel = channel;
    this.#place = place;
    this.#activity = new Activity(place.onDidChangeCalls);
    this.#author = { id, agent: 'agent' };
    const granted = shared.grants.begin(peer.resume);
    this.#grantee = { asker: this.#author, granted, denied: new Set() };
    this.#roots = new ClientRoots(window.log, peer.cwd);
    const ctx = shared.contextFor(this.#roots, () => this.#author);
    const subscriptions = new Subscriptions(features.resources, ctx, (uri) =>
      notify(this.#server, 'notifications/resources/updated', { uri }),
    );
    const { approvals } = shared;
    const grantee = this.#grantee;
    const version = window.extensionVersion;
    this.#parts = { ctx, features, subscriptions, approvals, grantee, version, tasks };
    this.#wire = new Wire(channel.outlet, this);
    serveStdio(({ era }) => this.#serve(era), {
      transport: this.#wire,
      legacy: 'serve',
      onerror: (error) => window.log.debug(`protocol: ${error.message}`),
    });
    channel.readInto(this.#wire);
  }

  /** The agent's, unique in the window. */
  get id(): number {
    return this.#place.id;
  }

  get ctx(): Context {
    return this.#parts.ctx;
  }

  /** The agent's own id of its session, if it tells it. */
  get ownId(): string | undefined {
    const { peer } = this.#place;
    const told = this.agent?.calls.map(({ request }) => request && sessionOfCall(request));
    return peer.session ?? told?.findLast((session) => session);
  }

  dispose(): void {
    this.#announcing?.dispose();
    this.#parts.subscriptions.dispose();
    void this.#wire.close();
  }

  /** Calls of it that go on as tasks. @param isMeant by the names of their tools */
  tasksOf(isMeant: (tool: string) => boolean): CallTask[] {
    return [...this.#tasks].flatMap(([{ name }, task]) => (isMeant(name) ? task : []));
  }

  /** @throws ProtocolError if the agent has too many subscriptions */
  onRequest(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined {
    const other = request.method === 'subscriptions/listen' ? this.#listen(request) : undefined;
    if (!this.agent) this.#meet(introduced(request, this.#place.peer.name), request);
    this.#activity.started(request, size);
    return other;
  }

  onEnd(id: RequestId, reply: WireReply | undefined, size: number, isCancelled: boolean): void {
    const { result = {} } = (reply ?? {}) as { result?: Fields };
    const task = result.resultType === 'task' ? this.#parts.tasks.get(result.taskId) : undefined;
    if (task) this.#goesOn(id, task);
    else this.#activity.ended(id, reply, size, isCancelled);
    this.#listens?.ended(id);
  }

  /** The call stays among those that run, until its task has ended. */
  #goesOn(id: RequestId, task: CallTask): void {
    const call = this.#activity.leave(id);
    if (!call) return;
    this.#tasks.set(call, task);
    void task.ended.then(({ status, result, error }) => {
      this.#tasks.delete(call);
      const reply = (error ? { jsonrpc: '2.0', id, error } : { jsonrpc: '2.0', id, result }) as WireReply;
      const size = JSON.stringify(reply).length;
      const isCancelled = status === 'cancelled' || task.isCancelledByUser;
      this.#activity.endedLater(call, status === 'cancelled' ? undefined : reply, size, isCancelled);
    });
  }

  /** A cancellation that has crossed the answer: it is of the task. */
  onLateCancel(id: RequestId, reason: unknown): void {
    if (!isUnwantedFor(reason)) return;
    for (const [{ requestId }, task] of this.#tasks)
      if (requestId === id && Date.now() - task.createdAt < CROSSING) task.cancel();
  }

  #listen(request: JSONRPCRequest): Promise<JSONRPCRequest> | undefined {
    this.#listens ??= new ListenRequests(this.#parts.subscriptions);
    return this.#listens.started(request);
  }

  /** Shows what the user has sent to the agent, as a call is shown. */
  wasTold(text: string): void {
    const id = `told-${this.#activity.count}`;
    this.#activity.started(
      { jsonrpc: '2.0', id, method: 'sent from VS Code', params: { text } },
      text.length,
    );
    this.#activity.ended(id, { jsonrpc: '2.0', id, result: {} }, 0, false);
  }

  /** Call it when agents have come or gone: those of the same name are told apart by their ids. */
  numberAmong(agents: readonly Agent[]): void {
    const { agent } = this;
    if (!agent) return;
    const { id, name, cwd } = agent;
    const number = agents.some((other) => other.id !== id && other.name === name) ? id : undefined;
    agent.number = number;
    this.#author = { id, agent: name, ...(number && { number }), ...(cwd && { directory: cwd }) };
    this.#grantee.asker = this.#author;
  }

  /** The SDK requests a server when it knows the era of the connection, and again after a mere probe. */
  #serve(era: ProtocolEra): Server {
    this.#announcing?.dispose();
    this.#wire.era = era;
    const server = createServer({
      ...this.#parts,
      era,
      outbox: this.#wire.outbox,
      roots: this.#roots,
      onRootsListed: () => this.#announcing?.rootsListed(),
    });
    this.#announcing = announce(server, this.#parts.features, this.#parts.ctx);
    this.#server = server;
    return server;
  }

  #meet(info: AgentInfo | undefined, request: JSONRPCRequest): void {
    if (!info) return;
    if (declaresApps(capabilitiesIn(request))) this.ctx.hosted.showApps();
    const { id, peer, onDidMeet } = this.#place;
    const { granted, denied } = this.#grantee;
    const { log } = this.#parts.ctx;
    const activity = this.#activity;
    const cancel = (call: ActivityCall) => {
      const task = this.#tasks.get(call);
      if (task) task.cancelForUser();
      else if (call.state === 'running') this.#wire.cancel(call.requestId);
    };
    this.agent = {
      ...info,
      id,
      ...(peer.cwd && { cwd: peer.cwd }),
      connectedAt: new Date(),
      calls: activity.calls,
      get callCount() {
        return activity.count;
      },
      allowed: granted,
      denied,
      cancel,
      disconnect: () => {
        granted.clear();
        for (const call of [...activity.calls]) cancel(call);
        log.info(`disconnected by the user: ${info.name}`);
        this.#channel.disconnect();
        void this.#wire.close();
      },
    };
    log.info(`connected: ${info.name} ${info.version ?? ''}`);
    onDidMeet();
  }
}

/** Sends a notification. Ignores errors: the agent may have disconnected. */
function notify(server: Server | undefined, method: string, params?: { uri: string }): void {
  if (!server?.transport) return;
  void server.notification(params ? { method, params } : { method }).catch(() => {});
}

interface Announcing extends vscode.Disposable {
  /** The agent has listed the roots of this server: from now on it is notified when they change. */
  rootsListed(): void;
}

/** Notifies an agent of changed lists until disposed. */
function announce(server: Server, features: Features, ctx: Context): Announcing {
  const { toolSources = [], resources, prompts } = features;
  const sending = (method: string) => () => notify(server, method);
  const roots = () => JSON.stringify(ctx.files.shownFolders().map(({ uri, name }) => [uri.toString(), name]));
  let compareRoots = () => {};
  const subscriptions = ctx.vscode.Disposable.from(
    ctx.switches.watch(() => ownNames(features, ctx), sending('notifications/tools/list_changed')),
    ...toolSources.map((source) => source.watch(ctx, sending('notifications/tools/list_changed'))),
    ...resources.map((provider) => provider.watch(ctx, sending('notifications/resources/list_changed'))),
    ...prompts.map((provider) => provider.watch(ctx, sending('notifications/prompts/list_changed'))),
    ctx.vscode.workspace.onDidChangeWorkspaceFolders(() => compareRoots()),
    ctx.files.watchRules(() => compareRoots()),
  );
  return {
    rootsListed() {
      compareRoots = whenDifferent(roots, sending('notifications/roots/list_changed'));
    },
    dispose: () => subscriptions.dispose(),
  };
}
