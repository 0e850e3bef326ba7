import type { Duplex } from 'node:stream';
import type { ProtocolEra, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type * as vscode from 'vscode';
import type { Approvals } from '../access/consent/approvals.ts';
import type { ApprovalKind } from '../access/operation.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { features as allFeatures } from '../features/index.ts';
import { Shared, type Window } from '../features/windowServices.ts';
import { goodbyeLine } from '../ipc/goodbye.ts';
import { createServer } from '../protocol/server.ts';
import { Subscriptions } from '../protocol/subscriptions.ts';
import { SocketTransport } from '../protocol/wire/transport.ts';
import { debounce } from '../util/debounce.ts';
import type { Peer } from './acceptPeer.ts';
import { Activity } from './activity.ts';
import { type Agent, type AgentInfo, agentOf, introduced } from './agent.ts';
import { announce, rootsFor, type Told, tell } from './announce.ts';
import { ClientRoots } from './clientRoots.ts';

export { explainAccess } from '../workspace/explainAccess.ts';
export type { Agent } from './agent.ts';

/** Milliseconds from a call to the word of it: most are over by then, and the person sees no more than that anyway. */
const CALLS_PAUSE = 100;

export interface SessionOptions {
  window: Window;
  /** Called when an agent has said who it is, and when it has gone. */
  onDidChangeAgents(agents: readonly Agent[]): void;
  /** Tests serve others. */
  features?: Features;
}

/** All connections of a window: opens a session for each, and knows who is there. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #shared: Shared;
  readonly #open = new Set<Session>();
  readonly #listeners = new Set<() => void>();
  readonly #callsChanged = debounce(() => {
    for (const listener of this.#listeners) listener();
  }, CALLS_PAUSE);
  #count = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#shared = new Shared(options.window);
  }

  /** @param socket a connection whose both sides have proved that they know the token */
  open(socket: Duplex, peer: Omit<Peer, 'version'>): void {
    // Gone while the code was loaded: it would never be heard to close.
    if (socket.destroyed || socket.writableEnded) return;
    const changed = () => this.#options.onDidChangeAgents(this.agents());
    const session = new Session(socket, this.#shared, this.#options, {
      id: ++this.#count,
      peer,
      onDidMeet: changed,
      onDidChangeCalls: this.#callsChanged,
    });
    this.#open.add(session);
    socket.once('close', () => {
      this.#open.delete(session);
      session.dispose();
      this.#shared.grants.end(peer.resume);
      if (!session.agent) return;
      this.#options.window.log.info(`disconnected: ${session.agent.name}`);
      changed();
    });
  }

  get approvals(): Approvals {
    return this.#shared.approvals;
  }

  /** Calls the listener soon after calls have begun or ended. */
  onDidChangeCalls(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Those that have said who they are; a client's probe that only looks which versions are spoken has not. */
  agents(): readonly Agent[] {
    return [...this.#open].flatMap(({ agent }) => agent ?? []);
  }

  dispose(): void {
    this.#callsChanged.dispose();
    for (const session of this.#open) session.dispose();
    this.#open.clear();
    this.#shared.dispose();
  }
}

interface SessionPlace {
  id: number;
  peer: Omit<Peer, 'version'>;
  /** Called when it is known who the agent is. */
  onDidMeet(): void;
  onDidChangeCalls(): void;
}

/** One connection: owns its protocol server and dies with the socket. */
class Session {
  agent: Agent | undefined;
  readonly #socket: Duplex;
  readonly #place: SessionPlace;
  readonly #activity: Activity;
  readonly #granted: Set<ApprovalKind>;
  readonly #ctx: Context;
  readonly #features: Features;
  readonly #transport: SocketTransport;
  readonly #roots: ClientRoots;
  readonly #subscriptions: Subscriptions;
  readonly #version: string;
  #server: Server | undefined;
  #announcing: vscode.Disposable | undefined;
  readonly #told: Told = { roots: undefined };

  constructor(socket: Duplex, shared: Shared, options: SessionOptions, place: SessionPlace) {
    const { window, features = allFeatures } = options;
    this.#socket = socket;
    this.#place = place;
    this.#activity = new Activity(place.onDidChangeCalls);
    this.#granted = shared.grants.begin(place.peer.resume);
    this.#roots = new ClientRoots(window.log);
    const grantee = { agent: () => this.agent?.name ?? 'agent', granted: this.#granted };
    this.#ctx = shared.contextFor(this.#roots, grantee);
    this.#features = features;
    this.#subscriptions = new Subscriptions(features.resources, this.#ctx, (uri) =>
      tell(this.#server, 'notifications/resources/updated', { uri }),
    );
    this.#version = window.extensionVersion;
    this.#transport = new SocketTransport(socket, {
      refusalOf: (request) => this.#subscriptions.refusalOf(request),
      onRequest: (request, size) => {
        if (!this.agent) this.#meet(introduced(request));
        this.#activity.started(request, size);
        return this.#subscriptions.started(request);
      },
      onAnswer: (id, reply, size) => {
        this.#activity.answered(id, reply, size);
        this.#subscriptions.ended(id);
      },
      onCancel: (id, reply) => {
        this.#activity.cancelled(id, reply);
        this.#subscriptions.ended(id);
      },
      onClientLog: () => window.log.debug('an agent logged a message'),
    });
    serveStdio(({ era }) => this.#serve(era), {
      transport: this.#transport,
      legacy: 'serve',
      onerror: (error) => window.log.debug(`protocol: ${error.message}`),
    });
  }

  dispose(): void {
    this.#announcing?.dispose();
    this.#subscriptions.dispose();
    void this.#transport.close();
  }

  /** The SDK asks for a server when it knows which era the connection speaks: again where a probe turned out to be one. */
  #serve(era: ProtocolEra): Server {
    this.#announcing?.dispose();
    this.#transport.era = era;
    const server = createServer({
      era,
      ctx: this.#ctx,
      features: this.#features,
      subscriptions: this.#subscriptions,
      version: this.#version,
      makeRoom: (id, bytes, signal) => this.#transport.makeRoom(id, bytes, signal),
      ready: () => this.#roots.known(),
      onInitialized: () => this.#roots.ask(server),
      onRootsChanged: () => this.#roots.ask(server),
      onRootsListed: () => {
        this.#told.roots = rootsFor(this.#ctx);
      },
    });
    this.#announcing = announce(server, this.#features, this.#ctx, this.#told);
    this.#server = server;
    return server;
  }

  #meet(info: AgentInfo | undefined): void {
    if (!info) return;
    const { id, peer, onDidMeet } = this.#place;
    this.agent = agentOf(info, {
      id,
      cwd: peer.cwd,
      activity: this.#activity,
      granted: this.#granted,
      cancel: (request) => this.#transport.cancel(request),
      close: () => this.#close(),
    });
    this.#ctx.log.info(`connected: ${info.name} ${info.version ?? ''}`);
    onDidMeet();
  }

  /** As the person wants it. */
  #close(): void {
    this.#ctx.log.info(`disconnected by the person: ${this.agent?.name}`);
    this.#socket.write(goodbyeLine('disconnected'));
    void this.#transport.close();
    // An agent that reads nothing more would hold its end open.
    this.#socket.end(() => this.#socket.destroy());
  }
}
