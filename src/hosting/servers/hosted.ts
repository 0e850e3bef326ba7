import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { debounce } from '../../util/debounce.ts';
import { Emitter } from '../../util/emitter.ts';
import type { Log } from '../../util/log.ts';
import type { HostingOptions } from '../config/definition.ts';
import type { Input } from '../config/inputs.ts';
import type { Seen } from '../config/resolve/lookAt.ts';
import { inputKey, inputsUsed } from '../config/resolve/resolveLaunch.ts';
import { placedIn } from '../config/sources.ts';
import { serverKey, type Trust, type Verdict } from '../config/trust.ts';
import type { Answers, HostedClient } from '../connection/client.ts';
import type { HostedConnection, StdioOptions } from '../connection/connectStdio.ts';
import type { ServerState, UseOptions } from '../lifecycle/hostedServer.ts';
import { rested } from '../lifecycle/rested.ts';
import type { Authorization } from '../remote/oauth/authorization.ts';
import { AgentQuestions } from './agentQuestions.ts';
import type { Catalogue } from './catalogue.ts';
import { type AnswerOptions, editorAnswers } from './editorAnswers.ts';
import type { KeptSecrets } from './keptSecrets.ts';
import { InputNeededError, type Launcher, UnapprovedVariablesError, type UsableServer } from './launcher.ts';
import { type HostedTool, Offer } from './offer.ts';
import { Runs, type RunsOptions, SHARED } from './runs.ts';

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
  secrets: KeptSecrets;
  /** What every connection is opened with. */
  client: Pick<StdioOptions, 'clientInfo' | 'processes' | 'capabilities'>;
  /** For the answers to the server's questions. */
  answers: AnswerOptions;
  log: Log;
}

/** Quiet time after a server's `list_changed` before its lists are read again, in milliseconds. */
const QUIET = 250;

/** One server of the window: its definition, its approval, and what it offers. */
export class Hosted {
  /** As in `PlacedServer`, as well as its name. */
  readonly place: string;
  readonly source: string;
  /** Short name of [a-z0-9-]. */
  readonly slug: string;
  readonly key: string;
  readonly questions: AgentQuestions;
  readonly offer: Offer;
  /** Its processes. To start one, call `use`, `follow` or `restart`. */
  readonly runs: Runs;
  readonly #parts: HostedParts;
  readonly #hash: string;
  readonly #answers: Answers;
  readonly #changed = new Emitter();
  readonly #readAgain = rested(() => this.#readRunning());
  readonly #refresh = debounce(this.#readAgain, QUIET);
  #server: UsableServer;
  #missing: readonly Input[] = [];
  /** Of its env file, as last read. */
  #variables: readonly string[] = [];
  #isRead = false;
  #reading: Promise<void> | undefined;
  #isUsed = false;

  constructor(server: UsableServer, place: string, slug: string, hash: string, parts: HostedParts) {
    this.#server = server;
    this.place = place;
    this.slug = slug;
    const placed = placedIn(place, server);
    this.source = placed.source;
    this.key = serverKey(placed);
    this.offer = new Offer(parts.store, this.key, hash);
    this.#parts = parts;
    this.#hash = hash;
    const asker = { name: server.name, key: () => this.grantKey, options: this.options };
    this.#answers = editorAnswers(parts.answers, asker);
    this.questions = new AgentQuestions(this.options);
    this.runs = new Runs({
      name: server.name,
      share: this.options.share,
      keepAlive: this.options.keepAlive,
      start: (options) => this.#start(options),
      onListChanged: this.#refresh,
      onWarning: (line) => parts.log.warn(`hosted server ${server.name}: ${line}`),
    });
    for (const part of [this.runs, this.offer]) part.onDidChange(() => this.#changed.fire());
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

  /** Stands for the server as the user approved it last: what they allow of it is kept by it. */
  get grantKey(): string {
    return this.#parts.trust.grantKey(this);
  }

  /** What the user has to decide; asked again before each start. */
  get verdict(): Verdict {
    return this.#parts.trust.verdict(this, this.server.found.definition.launch, this.#variables);
  }

  get state(): HostedState {
    if (!this.options.enabled) return 'off';
    if (this.server.forbidden !== undefined) return 'forbidden';
    const { kind } = this.verdict;
    return kind === 'trusted' ? this.runs.state : kind;
  }

  /** Why it is forbidden, or failed last. It may hold secrets. */
  get problem(): string | undefined {
    return this.server.forbidden ?? this.runs.lastError;
  }

  /** The sign-in at a remote server; undefined if it was not connected to yet. */
  get signIn(): Authorization | undefined {
    return this.#parts.launcher.signIn(this.key);
  }

  /** Whether agents may use it now. */
  get isUsable(): boolean {
    const isAllowed = this.options.enabled && this.server.forbidden === undefined;
    const { trust } = this.#parts;
    return (
      isAllowed && trust.isTrusted(this, this.#hash) && trust.unapproved(this, this.#variables).length === 0
    );
  }

  /** Whether agents have used it in this window. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** What it last said; undefined if it never ran. */
  get catalogue(): Catalogue | undefined {
    return this.offer.catalogue;
  }

  /** Its tools, without those that its definition leaves out. */
  get tools(): readonly HostedTool[] {
    return this.offer.tools(this.options);
  }

  /** What its definition asks the user for. */
  get inputs(): readonly Input[] {
    const { inputs, syntax, found } = this.server;
    return inputsUsed({ inputs, syntax, launch: found.definition.launch });
  }

  /** What the user has to enter before it starts; known once a start has failed for it. */
  get missingInputs(): readonly Input[] {
    return this.#missing;
  }

  /** Calls the listener when its state or anything that it offers changes. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
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
    return this.runs.of(agent).use(run, options);
  }

  /**
   * Calls back when a resource changes. The server is started for it, and runs as long as it is followed.
   *
   * @param uri as the server has it
   * @returns a function that ends it
   * @throws UserError after `dispose`
   */
  follow(agent: number, uri: string, onChange: () => void): () => void {
    this.#isUsed = true;
    return this.runs.follow(agent, uri, onChange);
  }

  /** Reads its lists if that has not been done in this window; starts it if needed. @throws as `use` does */
  async read(): Promise<void> {
    if (this.#isRead) return;
    this.#requireOn();
    const server = this.runs.of(SHARED);
    this.#reading ??= server
      .use(async () => {})
      .finally(async () => {
        this.#reading = undefined;
        if (server.state !== 'starting') await this.runs.end(SHARED); // else what it downloads would be lost
      });
    await this.#reading;
  }

  /** What the user sees of this machine before they approve it. The verdict judges the variables of its env file from now on. */
  async look(): Promise<Seen> {
    const seen = await this.#parts.launcher.look(this.server, this.place);
    this.#variables = seen.variables;
    return seen;
  }

  /** The user approves what they were shown. @param variables of its env file; by default those that it sets now */
  async approve(launch = this.server.found.definition.launch, variables?: readonly string[]): Promise<void> {
    const approved = variables ?? (await this.look()).variables;
    await this.offer.forgetTools();
    await this.#parts.trust.approve(this, launch, approved);
    this.offer.changed();
  }

  /** Keeps the value of an input, in VS Code's secret storage. */
  async enter(input: string, value: string): Promise<void> {
    await this.#parts.secrets.of(this.key).store(inputKey(this.key, input), value);
  }

  /** Forgets all that the user ever entered for it, their sign-in, and what its tools were when it was approved. */
  async forget(): Promise<void> {
    const { launcher, secrets } = this.#parts;
    await this.offer.forgetTools();
    await launcher.signOut(this.key);
    await secrets.forget(this.key);
  }

  /** Takes over what the definition now says about tools and agents. @param server the same otherwise */
  redefine(server: UsableServer): void {
    this.#server = server;
    this.offer.changed();
  }

  async restart(): Promise<void> {
    this.#requireOn();
    await this.runs.of(SHARED).restart();
  }

  /** Ends it for good. */
  async dispose(): Promise<void> {
    this.#refresh.dispose();
    this.#readAgain.dispose();
    await this.runs.dispose();
  }

  #requireOn(): void {
    if (!this.options.enabled) throw new UserError(`The user has switched off the server ${this.name}.`);
    if (this.server.forbidden !== undefined) throw new UserError(this.server.forbidden);
  }

  async #start(options: Parameters<RunsOptions['start']>[0]): Promise<HostedConnection> {
    const { launcher, client, log } = this.#parts;
    this.#missing = [];
    const started = launcher.start(this.server, this.place, {
      ...client,
      ...options,
      answers: { ...this.#answers, ...this.questions.answers },
      knownEra: this.offer.era,
      ...(this.catalogue && { tools: this.catalogue.tools }),
      onError: ({ message }) => log.debug(`hosted server ${this.name}: ${message}`),
    });
    const connection = await started.catch((error) => {
      if (error instanceof InputNeededError) this.#missing = error.inputs;
      if (error instanceof UnapprovedVariablesError) this.#unapproved(error.variables);
      throw error;
    });
    const { signal } = options;
    const stop = () => void connection.client.close(); // it may never send its lists
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      await this.#keep(connection.client);
    } catch (error) {
      await connection.client.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    return connection;
  }

  #unapproved(variables: readonly string[]): void {
    this.#variables = variables;
    this.offer.changed(); // agents do not get it any more
  }

  #readRunning(): Promise<void> {
    return this.runs.eachRunning(async (client) => {
      await this.#keep(client);
      this.offer.tools(this.options); // judges them, which takes time as well
    });
  }

  async #keep(client: HostedClient): Promise<void> {
    await this.offer.read(client);
    this.#isRead = true;
    const { leftOut = [] } = this.catalogue ?? {};
    if (leftOut.length > 0) this.runs.log(`left out: ${leftOut.join(', ')}`);
  }
}
