import type { Duplex } from 'node:stream';
import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCRequest,
  type ProtocolEra,
  type Server,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type * as vscode from 'vscode';
import { Shared, type Window } from '../features/context.ts';
import type { Context, Features } from '../features/define.ts';
import { features as allFeatures } from '../features/index.ts';
import { ClientRoots } from '../features/roots/clientRoots.ts';
import { createServer } from '../protocol/server.ts';
import { SocketTransport } from '../protocol/transport.ts';
import type { Peer } from './acceptPeer.ts';
import { announce } from './announce.ts';

/** What an agent is, as its shim and its client say. */
export interface Agent {
  name: string;
  version?: string;
  /** Working directory of the process. */
  cwd?: string;
  connectedAt: Date;
}

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

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#shared = new Shared(options.window);
  }

  /** @param socket a connection whose both sides have proved that they know the token */
  open(socket: Duplex, peer: Pick<Peer, 'cwd' | 'resume'>): void {
    const changed = () => this.#options.onDidChangeAgents(this.agents());
    const session = new Session(socket, this.#shared, this.#options, peer, changed);
    this.#open.add(session);
    socket.once('close', () => {
      this.#open.delete(session);
      session.dispose();
      if (session.agent) changed();
    });
  }

  /** Those that have said who they are; a client's probe that only looks which versions are spoken has not. */
  agents(): readonly Agent[] {
    return [...this.#open].flatMap(({ agent }) => agent ?? []);
  }

  dispose(): void {
    for (const session of this.#open) session.dispose();
    this.#open.clear();
    this.#shared.dispose();
  }
}

/** One connection: owns its protocol server and dies with the socket. */
class Session {
  agent: Agent | undefined;
  readonly #ctx: Context;
  readonly #features: Features;
  readonly #transport: SocketTransport;
  readonly #roots: ClientRoots;
  readonly #subscribed = new Map<string, string>();
  readonly #cwd: string | undefined;
  readonly #onDidChange: () => void;
  readonly #version: string;
  #announcing: vscode.Disposable | undefined;
  #rootsListed = false;

  constructor(
    socket: Duplex,
    shared: Shared,
    options: SessionOptions,
    { cwd, resume }: Pick<Peer, 'cwd' | 'resume'>,
    onDidChange: () => void,
  ) {
    const { window, features = allFeatures } = options;
    this.#roots = new ClientRoots(window.log);
    const grantee = { agent: () => this.agent?.name ?? 'agent', granted: shared.grantedTo(resume) };
    this.#ctx = shared.contextFor(() => this.#roots.paths, grantee);
    this.#features = features;
    this.#version = window.extensionVersion;
    this.#cwd = cwd;
    this.#onDidChange = onDidChange;
    this.#transport = new SocketTransport(socket, {
      onRequest: (request) => this.#meet(request),
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
      subscribed: this.#subscribed,
      version: this.#version,
      ready: () => this.#roots.known(),
      onInitialized: () => this.#roots.ask(server),
      onRootsChanged: () => this.#roots.ask(server),
      onRootsListed: () => {
        this.#rootsListed = true;
      },
    });
    this.#announcing = announce(server, this.#features, this.#ctx, {
      spellings: (uri) => (era === 'modern' ? [uri] : this.#spellings(uri)),
      wantsRoots: () => era === 'legacy' && this.#rootsListed,
    });
    return server;
  }

  /** The URIs by which the agent subscribed to a resource. */
  #spellings(canonical: string): string[] {
    return [...this.#subscribed].filter(([, uri]) => uri === canonical).map(([spelled]) => spelled);
  }

  /** Learns who the agent is: from `initialize`, or from what every request carries since 2026-07-28. */
  #meet({ method, params }: JSONRPCRequest): void {
    if (this.agent || method === 'server/discover') return;
    const info = (method === 'initialize' ? params?.clientInfo : params?._meta?.[CLIENT_INFO_META_KEY]) as
      | Partial<Record<keyof Implementation, unknown>>
      | undefined;
    const version = shown(info?.version, 50);
    this.agent = {
      name: shown(info?.title, 100) || shown(info?.name, 100) || 'agent',
      connectedAt: new Date(),
      ...(version && { version }),
      ...(this.#cwd && { cwd: this.#cwd }),
    };
    this.#ctx.log.info(`connected: ${this.agent.name} ${this.agent.version ?? ''}`);
    this.#onDidChange();
  }
}

/** What an agent says of itself, fit to be shown: short, and without characters that break a line or turn the text. */
function shown(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value : '';
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, length);
}
