import type { Duplex } from 'node:stream';
import type { JSONRPCRequest, ProtocolEra, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentApprovals, Asker } from '../access/consent/types.ts';
import type { ApprovalKind } from '../access/operation.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { features as allFeatures } from '../features/index.ts';
import type { Shared, Window } from '../features/windowServices.ts';
import { goodbyeLine } from '../ipc/goodbye.ts';
import { ListenRequests } from '../protocol/listenRequests.ts';
import { createServer } from '../protocol/server.ts';
import { Subscriptions } from '../protocol/subscriptions.ts';
import { Pipeline } from '../protocol/wire/pipeline.ts';
import type { Peer } from './acceptPeer.ts';
import { Activity } from './activity.ts';
import { type Agent, type AgentInfo, agentOf, introduced } from './agent.ts';
import { type Announcing, announce, tell } from './announce.ts';
import { ClientRoots } from './clientRoots.ts';
import { lineOutlet, readLines } from './socketLines.ts';

export interface SessionOptions {
  window: Window;
  /** Called when an agent has introduced itself, and when it has gone. */
  onDidChangeAgents(agents: readonly Agent[]): void;
  /** Called soon after calls began or ended. */
  onDidChangeCalls?(): void;
  /** For tests. */
  features?: Features;
}

interface SessionPlace {
  id: number;
  peer: Peer;
  /** Whether another agent of the window has this name. */
  hasNamesake(agent: Agent): boolean;
  /** Called when it is known who the agent is. */
  onDidMeet(): void;
  onDidChangeCalls(): void;
}

/** One connection: owns its protocol server and dies with the socket. */
export class Session {
  agent: Agent | undefined;
  readonly #socket: Duplex;
  readonly #place: SessionPlace;
  readonly #activity: Activity;
  readonly #granted: Set<ApprovalKind>;
  readonly #denied = new Set<ApprovalKind>();
  readonly #approvals: AgentApprovals;
  readonly #ctx: Context;
  readonly #features: Features;
  readonly #pipeline: Pipeline;
  readonly #roots: ClientRoots;
  readonly #subscriptions: Subscriptions;
  readonly #listens: ListenRequests;
  readonly #window: Window;
  #server: Server | undefined;
  #announcing: Announcing | undefined;

  constructor(socket: Duplex, shared: Shared, options: SessionOptions, place: SessionPlace) {
    const { window, features = allFeatures } = options;
    this.#socket = socket;
    this.#place = place;
    this.#activity = new Activity(place.onDidChangeCalls);
    this.#granted = shared.grants.begin(place.peer.resume);
    this.#roots = new ClientRoots(window.log);
    this.#approvals = shared.approvals.of({
      asker: () => this.#asker(),
      granted: this.#granted,
      denied: this.#denied,
    });
    this.#ctx = shared.contextFor(this.#roots);
    this.#features = features;
    this.#subscriptions = new Subscriptions(features.resources, this.#ctx, (uri) =>
      tell(this.#server, 'notifications/resources/updated', { uri }),
    );
    this.#window = window;
    this.#listens = new ListenRequests(this.#subscriptions);
    this.#pipeline = new Pipeline(lineOutlet(socket), {
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
    readLines(socket, this.#pipeline);
  }

  dispose(): void {
    this.#announcing?.dispose();
    this.#subscriptions.dispose();
    this.#pipeline.close();
  }

  /** The SDK asks for a server when it knows the era of the connection, and once more if that was only a probe. */
  #serve(era: ProtocolEra): Server {
    this.#announcing?.dispose();
    this.#pipeline.transport.era = era;
    const server = createServer({
      era,
      ctx: this.#ctx,
      features: this.#features,
      subscriptions: this.#subscriptions,
      approvals: this.#approvals,
      version: this.#window.extensionVersion,
      makeRoom: (id, bytes, signal) => this.#pipeline.transport.budget.take(id, bytes, signal),
      ready: () => this.#roots.known(),
      askForRoots: () => this.#roots.ask(server),
      onRootsListed: () => this.#announcing?.rootsListed(),
    });
    this.#announcing = announce(server, this.#features, this.#ctx);
    this.#server = server;
    return server;
  }

  /** @throws ProtocolError if the agent would listen to too much */
  #started(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined {
    const other = this.#listens.started(request);
    if (!this.agent) this.#meet(introduced(request));
    this.#activity.started(request, size);
    return other;
  }

  #asker(): Asker {
    const { name = 'agent', number, cwd } = this.agent ?? {};
    return { agent: name, ...(number && { number }), ...(cwd && { directory: cwd }) };
  }

  #meet(info: AgentInfo | undefined): void {
    if (!info) return;
    const { id, peer, onDidMeet } = this.#place;
    this.agent = agentOf(info, {
      id,
      cwd: peer.cwd,
      activity: this.#activity,
      granted: this.#granted,
      denied: this.#denied,
      hasNamesake: this.#place.hasNamesake,
      cancel: (request) => this.#pipeline.transport.cancel(request),
      close: () => this.#close(),
    });
    this.#ctx.log.info(`connected: ${info.name} ${info.version ?? ''}`);
    onDidMeet();
  }

  /** Disconnects the agent for the user. */
  #close(): void {
    this.#ctx.log.info(`disconnected by the person: ${this.agent?.name}`);
    this.#socket.write(goodbyeLine('disconnected'));
    this.#pipeline.close();
    // An agent that does not read would keep its end open.
    this.#socket.end(() => this.#socket.destroy());
  }
}
