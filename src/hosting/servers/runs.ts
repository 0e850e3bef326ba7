import { type Fields, fieldsOf } from '../../core/json.ts';
import { Emitter } from '../../util/emitter.ts';
import type { HostedClient } from '../connection/client.ts';
import type { HostedConnection } from '../connection/connectStdio.ts';
import type { StdioTransport } from '../connection/stdio.ts';
import { HostedServer, removed, type ServerState } from '../lifecycle/hostedServer.ts';
import { Following } from './following.ts';
import type { StartOptions } from './launcher.ts';

/** The agent of a server that all agents share. */
export const SHARED = 0;
/** Lines of the log that are kept. */
const LOG_LINES = 500;

/** A notification of the server. @param params as it sent them */
export type ServerNotification = (method: string, params: Fields) => void;

export interface RunsOptions {
  name: string;
  share: 'window' | 'agent';
  keepAlive: boolean;
  /** Starts the server. @throws as `Launcher.start` */
  start(
    options: Pick<StartOptions, 'signal' | 'onNotification' | 'onTransport' | 'onNote'>,
  ): Promise<HostedConnection>;
  /** The server says that its lists changed. */
  onListChanged(): void;
  /** For the log of the window. */
  onWarning(line: string): void;
}

/** The processes of one server: one for all agents or one for each, with all that depends on them. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #changed = new Emitter();
  readonly #notified = new Emitter<{ id: number; method: string; params: Fields }>();
  readonly #lines: string[] = [];
  readonly #noted = new Set<string>();
  /** By agent; a shared one has the key of nobody. */
  readonly #servers = new Map<number, HostedServer>();
  readonly #following = new Map<number, Following>();
  #level: string | undefined;
  #isOver = false;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** That of the process which most needs the user. */
  get state(): ServerState {
    const states = [...this.#servers.values()].map(({ state }) => state);
    const worst: ServerState[] = ['failed', 'starting', 'running', 'idle'];
    return worst.find((state) => states.includes(state)) ?? 'stopped';
  }

  /** Why one failed last. It may hold secrets. */
  get lastError(): string | undefined {
    return [...this.#servers.values()].find(({ lastError }) => lastError)?.lastError;
  }

  /** The last 500 lines of its stderr and of its life. Untrusted: it may hold secrets. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  log(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > LOG_LINES) this.#lines.shift();
  }

  /** Calls the listener when the state changes. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /** The process of an agent, which may not run yet. @throws UserError after `dispose` */
  of(agent: number): HostedServer {
    if (this.#isOver) throw removed(this.#options.name);
    const id = this.#idOf(agent);
    const known = this.#servers.get(id);
    if (known) return known;
    const { name, keepAlive } = this.#options;
    const server = new HostedServer({ name, keepAlive, connect: (signal) => this.#connect(id, signal) });
    this.#servers.set(id, server);
    server.onDidChangeState((state) => {
      this.log(state === 'failed' ? `failed: ${server.lastError}` : state);
      this.#changed.fire();
    });
    return server;
  }

  /** Runs something with each process that runs; what is thrown is ignored, because it may have just ended. */
  async eachRunning(run: (client: HostedClient) => unknown): Promise<void> {
    const running = [...this.#servers.values()].filter(({ state }) => state === 'running');
    await Promise.allSettled(running.map((server) => server.use(async (client) => run(client))));
  }

  onNotification(agent: number, listener: ServerNotification): { dispose(): void } {
    return this.#notified.listen(({ id, method, params }) => {
      if (id === this.#idOf(agent)) listener(method, params);
    });
  }

  /** As `Hosted.follow`. */
  follow(agent: number, uri: string, onChange: () => void): () => void {
    const server = this.of(agent);
    const end = this.#followingOf(this.#idOf(agent)).follow(uri, onChange);
    const release = server.hold();
    return () => {
      end();
      release();
    };
  }

  /** The level that an agent asked for last; what others do not want is left out later. */
  setLogLevel(level: string): void {
    this.#level = level;
    void this.eachRunning((client) => this.#sendLevel(client));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }

  /** Ends all processes for good: none is started again. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#servers.values()].map((server) => server.dispose()));
  }

  /** Ends the process of an agent that has gone, if it had its own. */
  async end(agent: number): Promise<void> {
    const server = this.#options.share === 'agent' ? this.#servers.get(agent) : undefined;
    if (!server) return;
    this.#servers.delete(agent);
    this.#following.delete(agent);
    await server.dispose();
  }

  /** Each start says the same. */
  #note(line: string): void {
    if (!this.#noted.has(line)) this.log(line);
    this.#noted.add(line);
  }

  #idOf(agent: number): number {
    return this.#options.share === 'agent' ? agent : SHARED;
  }

  #followingOf(id: number): Following {
    const following = this.#following.get(id) ?? new Following();
    this.#following.set(id, following);
    return following;
  }

  async #connect(id: number, signal: AbortSignal): Promise<HostedConnection> {
    const connection = await this.#options.start({
      signal,
      onNotification: (method, params) => this.#take(id, method, fieldsOf(params)),
      onTransport: (transport) => this.#watch(transport),
      onNote: (line) => this.#note(line),
    });
    this.#followingOf(id).connected(connection.client);
    this.#sendLevel(connection.client);
    return connection;
  }

  #watch(transport: StdioTransport): void {
    transport.stderr.onLine((line) => this.log(line));
    transport.onkilled = ({ input, term }) => {
      const line = `killed, because it did not end within ${(input + term) / 1000} s: what it started elsewhere may still run`;
      this.log(line);
      this.#options.onWarning(line);
    };
  }

  #take(id: number, method: string, params: Fields): void {
    if (/^notifications\/(tools|prompts|resources)\/list_changed$/.test(method))
      this.#options.onListChanged();
    else if (method === 'notifications/resources/updated') this.#followingOf(id).updated(params.uri);
    else if (method === 'notifications/message' && params.data === undefined)
      this.log('left out: a log message without "data"');
    else this.#notified.fire({ id, method, params });
  }

  #sendLevel(client: HostedClient): void {
    if (this.#level === undefined || client.era !== 'legacy' || !client.capabilities.logging) return;
    client.request('logging/setLevel', { level: this.#level }).catch(() => {}); // it only logs less then
  }
}
