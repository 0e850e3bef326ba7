import type { JSONRPCRequest, ProtocolEra, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Asker, Grantee } from '../access/consent/types.ts';
import type { Features } from '../features/features.ts';
import { features as allFeatures } from '../features/index.ts';
import type { Shared, Window } from '../features/windowServices.ts';
import { ListenRequests } from '../protocol/listenRequests.ts';
import { createServer } from '../protocol/server.ts';
import type { ServerState } from '../protocol/state.ts';
import { Subscriptions } from '../protocol/subscriptions.ts';
import { Pipeline } from '../protocol/wire/pipeline.ts';
import type { Peer } from './acceptPeer.ts';
import { Activity } from './activity.ts';
import { type Agent, type AgentInfo, agentOf, introduced } from './agent.ts';
import { type Announcing, announce, tell } from './announce.ts';
import type { Channel } from './channel.ts';
import { ClientRoots } from './clientRoots.ts';

export interface SessionOptions {
  window: Window;
  /** Called when an agent has introduced itself or disconnected. */
  onDidChangeAgents(agents: readonly Agent[]): void;
  /** Called shortly after calls start or end. */
  onDidChangeCalls?(): void;
  /** For tests. */
  features?: Features;
}

interface SessionPlace {
  id: number;
  peer: Peer;
  /** Whether another agent of the window has the same name. */
  hasNamesake(agent: Agent): boolean;
  /** Called when the agent has introduced itself. */
  onDidMeet(): void;
  onDidChangeCalls(): void;
}

/** One connection: owns its protocol server and ends with the channel. */
export class Session {
  agent: Agent | undefined;
  readonly #channel: Channel;
  readonly #place: SessionPlace;
  readonly #activity: Activity;
  readonly #grantee: Grantee;
  readonly #roots: ClientRoots;
  readonly #listens: ListenRequests;
  readonly #pipeline: Pipeline;
  /** Shared by all servers of the connection. */
  readonly #parts: Pick<ServerState, 'ctx' | 'features' | 'subscriptions' | 'approvals' | 'version'>;
  #server: Server | undefined;
  #announcing: Announcing | undefined;

  constructor(channel: Channel, shared: Shared, options: SessionOptions, place: SessionPlace) {
    const { window, features = allFeatures } = options;
    this.#channel = channel;
    this.#place = place;
    this.#activity = new Activity(place.onDidChangeCalls);
    const granted = shared.grants.begin(place.peer.resume);
    this.#grantee = { asker: () => this.#asker(), granted, denied: new Set() };
    this.#roots = new ClientRoots(window.log, place.peer.cwd);
    const ctx = shared.contextFor(this.#roots, () => ({ id: place.id, ...this.#asker() }));
    const subscriptions = new Subscriptions(features.resources, ctx, (uri) =>
      tell(this.#server, 'notifications/resources/updated', { uri }),
    );
    const approvals = shared.approvals.of(this.#grantee);
    this.#parts = { ctx, features, subscriptions, approvals, version: window.extensionVersion };
    this.#listens = new ListenRequests(subscriptions);
    this.#pipeline = new Pipeline(channel.outlet, {
      onRequest: (request, size) => this.#started(request, size),
      onEnd: (id, ...end) => {
        this.#activity.ended(id, ...end);
        this.#listens.ended(id);
      },
    });
    serveStdio(({ era }) => this.#serve(era), {
      transport: this.#pipeline.transport,
      legacy: 'serve',
      onerror: (error) => window.log.debug(`protocol: ${error.message}`),
    });
    channel.readInto(this.#pipeline);
  }

  dispose(): void {
    this.#announcing?.dispose();
    this.#parts.subscriptions.dispose();
    this.#parts.ctx.hosted.dispose();
    this.#pipeline.close();
  }

  /** The SDK requests a server when it knows the era of the connection, and again after a mere probe. */
  #serve(era: ProtocolEra): Server {
    this.#announcing?.dispose();
    this.#pipeline.transport.era = era;
    const server = createServer({
      ...this.#parts,
      era,
      makeRoom: (id, bytes, signal) => this.#pipeline.transport.budget.take(id, bytes, signal),
      ready: () => this.#roots.known(),
      askForRoots: () => this.#roots.ask(server),
      onRootsListed: () => this.#announcing?.rootsListed(),
    });
    this.#announcing = announce(server, this.#parts.features, this.#parts.ctx);
    this.#server = server;
    return server;
  }

  /** @throws ProtocolError if the agent has too many subscriptions */
  #started(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined {
    const other = this.#listens.started(request);
    if (!this.agent) this.#meet(introduced(request, this.#place.peer.name));
    this.#activity.started(request, size);
    return other;
  }

  #asker(): Asker {
    const { name = 'agent', number, cwd } = this.agent ?? {};
    return { agent: name, ...(number && { number }), ...(cwd && { directory: cwd }) };
  }

  #meet(info: AgentInfo | undefined): void {
    if (!info) return;
    const { id, peer, hasNamesake, onDidMeet } = this.#place;
    const { granted, denied } = this.#grantee;
    this.agent = agentOf(info, {
      ...{ id, cwd: peer.cwd, activity: this.#activity, granted, denied, hasNamesake },
      cancel: (request) => this.#pipeline.transport.cancel(request),
      close: () => this.#close(),
    });
    this.#parts.ctx.log.info(`connected: ${info.name} ${info.version ?? ''}`);
    onDidMeet();
  }

  /** Disconnects the agent for the user. */
  #close(): void {
    this.#parts.ctx.log.info(`disconnected by the user: ${this.agent?.name}`);
    this.#channel.disconnect();
    this.#pipeline.close();
  }
}
