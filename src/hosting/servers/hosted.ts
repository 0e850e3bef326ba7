import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { debounce } from '../../util/debounce.ts';
import { Emitter } from '../../util/emitter.ts';
import type { Log } from '../../util/log.ts';
import type { HostingOptions } from '../config/definition.ts';
import type { Input } from '../config/inputs.ts';
import { inputKey } from '../config/resolve/resolveLaunch.ts';
import { serverKey, type Trust, type Verdict } from '../config/trust.ts';
import type { Answers, HostedClient } from '../connection/client.ts';
import type { HostedConnection, StdioOptions } from '../connection/connectStdio.ts';
import { HostedServer, type ServerState, type UseOptions } from '../lifecycle/hostedServer.ts';
import type { Authorization } from '../remote/oauth/authorization.ts';
import { AgentQuestions } from './agentQuestions.ts';
import type { Catalogue } from './catalogue.ts';
import { type AnswerOptions, editorAnswers } from './editorAnswers.ts';
import { Following } from './following.ts';
import { InputNeededError, type Launcher, type UsableServer } from './launcher.ts';
import { type HostedTool, Offer } from './offer.ts';

/**
 * `off`: switched off in its definition. `forbidden`: by settings of VS Code. `restricted`: the workspace is not trusted. `new` and
 * `changed`: the user has not approved it, or only another definition. The others are the states of its process.
 */
export type HostedState = 'off' | 'forbidden' | 'restricted' | 'new' | 'changed' | ServerState;

export interface HostedParts {
  launcher: Launcher;
  trust: Trust;
  /** VS Code's global state. */
  store: Pick<vscode.Memento, 'get' | 'update'>;
  secrets: Pick<vscode.SecretStorage, 'store'>;
  /** What every connection is opened with. */
  client: Pick<StdioOptions, 'clientInfo' | 'processes' | 'capabilities'>;
  /** For the answers to the server's questions. */
  answers: AnswerOptions;
  log: Log;
}

/** Lines of its log that are kept. */
const LOG_LINES = 500;
/** Quiet time after a server's `list_changed` before its lists are read again, in milliseconds. */
const QUIET = 250;

/** A notification of the server. @param params as it sent them */
export type ServerNotification = (method: string, params: Fields) => void;

/** One server of the window: its definition, its approval, what it offers, and its processes. */
export class Hosted {
  /** As in `PlacedServer`. */
  readonly place: string;
  /** Short name of [a-z0-9-]. */
  readonly slug: string;
  readonly key: string;
  readonly questions = new AgentQuestions();
  readonly #parts: HostedParts;
  readonly #hash: string;
  readonly #offer: Offer;
  readonly #answers: Answers;
  readonly #changed = new Emitter();
  readonly #listChanged = new Emitter();
  readonly #notified = new Emitter<{ id: number; method: string; params: Fields }>();
  /** By agent, as the runs. */
  readonly #following = new Map<number, Following>();
  readonly #lines: string[] = [];
  /** By agent; a shared one has the key of nobody. */
  readonly #runs = new Map<number, HostedServer>();
  readonly #refresh = debounce(() => void this.#readLists(), QUIET);
  #server: UsableServer;
  #missing: readonly Input[] = [];
  #isRead = false;
  #reading: Promise<void> | undefined;
  #level: string | undefined;
  #isUsed = false;

  constructor(server: UsableServer, place: string, slug: string, hash: string, parts: HostedParts) {
    this.#server = server;
    this.place = place;
    this.slug = slug;
    this.key = serverKey({ place, name: server.name });
    this.#offer = new Offer(parts.store, this.key, hash);
    this.#parts = parts;
    this.#hash = hash;
    const key = JSON.stringify([place, server.name, hash]);
    this.#answers = editorAnswers(parts.answers, { name: server.name, key, options: this.options });
  }

  get server(): UsableServer {
    return this.#server;
  }

  get name(): string {
    return this.server.name;
  }

  get options(): HostingOptions {
    return this.server.found.definition.options;
  }

  /** What the user has to decide; asked again before each start. */
  get verdict(): Verdict {
    return this.#parts.trust.verdict(this, this.server.found.definition.launch);
  }

  get state(): HostedState {
    if (!this.options.enabled) return 'off';
    if (this.server.forbidden !== undefined) return 'forbidden';
    const { kind } = this.verdict;
    if (kind !== 'trusted') return kind;
    const states = [...this.#runs.values()].map(({ state }) => state);
    const worst: ServerState[] = ['failed', 'starting', 'running', 'idle'];
    return worst.find((state) => states.includes(state)) ?? 'stopped';
  }

  /** Why it is forbidden, or failed last. It may hold secrets. */
  get problem(): string | undefined {
    return this.server.forbidden ?? [...this.#runs.values()].find(({ lastError }) => lastError)?.lastError;
  }

  /** The sign-in at a remote server; undefined if it was not connected to yet. */
  get signIn(): Authorization | undefined {
    return this.#parts.launcher.signIn(this.key);
  }

  /** Whether agents may use it now. */
  get isUsable(): boolean {
    const isAllowed = this.options.enabled && this.server.forbidden === undefined;
    return isAllowed && this.#parts.trust.isTrusted(this, this.#hash);
  }

  /** Whether agents have used it in this window. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** What it last said; undefined if it never ran. */
  get catalogue(): Catalogue | undefined {
    return this.#offer.catalogue;
  }

  /** Its tools, without those that its definition leaves out. */
  get tools(): readonly HostedTool[] {
    return this.#offer.tools(this.options);
  }

  /** What the user has to enter before it starts; known once a start has failed for it. */
  get missingInputs(): readonly Input[] {
    return this.#missing;
  }

  /** The last 500 lines of its stderr and of its life. Untrusted: it may hold secrets. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Calls the listener when its state or anything that it offers changes. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /** Calls the listener when its lists change. */
  onDidChangeLists(listener: () => void): { dispose(): void } {
    return this.#listChanged.listen(listener);
  }

  /** @param agent as in `use` */
  onNotification(agent: number, listener: ServerNotification): { dispose(): void } {
    return this.#notified.listen(({ id, method, params }) => {
      if (id === this.#idOf(agent)) listener(method, params);
    });
  }

  /**
   * Runs something with the server's client, as `HostedServer.use`.
   *
   * @param agent id; counts only if each agent has a server of its own
   * @throws UserError also if it may not run
   */
  async use<T>(
    agent: number,
    run: (client: HostedClient) => Promise<T>,
    options: UseOptions = {},
  ): Promise<T> {
    this.#requireOn();
    this.#isUsed = true;
    return this.#runOf(agent).use(run, options);
  }

  /**
   * Calls back when a resource changes. The server is started for it, and runs as long as it is followed.
   *
   * @param uri as the server has it
   * @returns a function that ends it
   */
  follow(agent: number, uri: string, onChange: () => void): () => void {
    const end = this.#followingOf(this.#idOf(agent)).follow(uri, onChange);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.use(agent, () => ended).catch(() => {}); // once it runs again, it is followed again
    return () => {
      end();
      resolve();
    };
  }

  /** Reads its lists if that has not been done in this window; starts it if needed. @throws as `use` does */
  async read(): Promise<void> {
    if (this.#isRead) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    this.#requireOn();
    try {
      await this.#runOf(SHARED).use(async () => {});
    } finally {
      await this.end(SHARED);
    }
  }

  /** The level that an agent asked for last; what others do not want is left out later. */
  setLogLevel(level: string): void {
    this.#level = level;
    for (const run of this.#runs.values())
      if (run.state === 'running') void run.use(async (client) => this.#sendLevel(client));
  }

  /** The user approves what they were shown. */
  async approve(launch = this.server.found.definition.launch): Promise<void> {
    await this.#offer.approved();
    await this.#parts.trust.approve(this, launch);
    this.#listsChanged();
  }

  /** Keeps the value of an input, in VS Code's secret storage. */
  async enter(input: string, value: string): Promise<void> {
    await this.#parts.secrets.store(inputKey(this.key, input), value);
  }

  /** As `Offer.switchTool`. */
  async switchTool(name: string, isOn: boolean): Promise<void> {
    await this.#offer.switchTool(name, isOn);
    this.#listsChanged();
  }

  /** Takes over what the definition now says about tools and agents. @param server the same otherwise */
  redefine(server: UsableServer): void {
    this.#server = server;
    this.#listsChanged();
  }

  /** The user accepts a tool that changed. */
  async acceptTool(tool: Fields): Promise<void> {
    await this.#offer.accept(tool);
    this.#listsChanged();
  }

  async restart(): Promise<void> {
    this.#requireOn();
    await this.#runOf(SHARED).restart();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.stop()));
  }

  /** Ends the server of an agent that has gone, if it had its own. */
  async end(agent: number): Promise<void> {
    const run = this.options.share === 'agent' ? this.#runs.get(agent) : undefined;
    if (!run) return;
    this.#runs.delete(agent);
    this.#following.delete(agent);
    await run.stop();
  }

  async dispose(): Promise<void> {
    this.#refresh.dispose();
    await this.stop();
  }

  /** Tells running servers of other workspace folders. */
  rootsChanged(): void {
    for (const run of this.#runs.values())
      if (run.state === 'running')
        void run.use(async (client) => {
          if (client.era === 'legacy') client.notify('notifications/roots/list_changed');
        });
  }

  #sendLevel(client: HostedClient): void {
    if (this.#level === undefined || client.era !== 'legacy' || !client.capabilities.logging) return;
    client.request('logging/setLevel', { level: this.#level }).catch(() => {}); // it only logs less then
  }

  #requireOn(): void {
    if (!this.options.enabled) throw new UserError(`The user has switched off the server ${this.name}.`);
    if (this.server.forbidden !== undefined) throw new UserError(this.server.forbidden);
  }

  #idOf(agent: number): number {
    return this.options.share === 'agent' ? agent : SHARED;
  }

  #followingOf(id: number): Following {
    const following = this.#following.get(id) ?? new Following();
    this.#following.set(id, following);
    return following;
  }

  #runOf(agent: number): HostedServer {
    const id = this.#idOf(agent);
    const known = this.#runs.get(id);
    if (known) return known;
    const run = new HostedServer({
      name: this.name,
      keepAlive: this.options.keepAlive,
      connect: (signal) => this.#connect(id, signal),
    });
    this.#runs.set(id, run);
    run.onDidChangeState((state) => {
      this.#log(state === 'failed' ? `failed: ${run.lastError}` : state);
      this.#changed.fire();
    });
    return run;
  }

  async #connect(id: number, signal: AbortSignal): Promise<HostedConnection> {
    const { launcher, client, log } = this.#parts;
    this.#missing = [];
    const started = launcher.start(this.server, this.place, {
      ...client,
      signal,
      answers: { ...this.#answers, ...this.questions.answers(this.options) },
      knownEra: this.#offer.era,
      ...(this.catalogue && { tools: this.catalogue.tools }),
      onNotification: (method, params) => this.#notifiedOf(id, method, fieldsOf(params)),
      onError: ({ message }) => log.debug(`hosted server ${this.name}: ${message}`),
      onTransport: ({ stderr }) => void stderr.onLine((line) => this.#log(line)),
    });
    const connection = await started.catch((error) => {
      if (error instanceof InputNeededError) this.#missing = error.inputs;
      throw error;
    });
    try {
      await this.#keep(connection.client);
      this.#followingOf(id).connected(connection.client);
      this.#sendLevel(connection.client);
    } catch (error) {
      await connection.client.close();
      throw error;
    }
    return connection;
  }

  async #keep(client: HostedClient): Promise<void> {
    const isNew = await this.#offer.read(client);
    this.#isRead = true;
    const { leftOut = [] } = this.catalogue ?? {};
    if (leftOut.length > 0)
      this.#log(`left out, because they are invalid or named twice: ${leftOut.join(', ')}`);
    if (isNew) this.#listsChanged();
  }

  #notifiedOf(id: number, method: string, params: Fields): void {
    if (/^notifications\/(tools|prompts|resources)\/list_changed$/.test(method)) this.#refresh();
    else if (method === 'notifications/resources/updated') this.#followingOf(id).updated(params.uri);
    else this.#notified.fire({ id, method, params });
  }

  async #readLists(): Promise<void> {
    const running = [...this.#runs.values()].find(({ state }) => state === 'running');
    await running?.use((client) => this.#keep(client)).catch(() => {}); // it has just ended: the next start reads them
  }

  #listsChanged(): void {
    this.#offer.changed();
    this.#listChanged.fire();
    this.#changed.fire();
  }

  #log(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > LOG_LINES) this.#lines.shift();
  }
}

/** The agent of a server that all agents share. */
const SHARED = 0;
