import { fieldsOf } from '../../core/json.ts';
import { rested } from '../../util/turns.ts';
import type { ServerInput } from '../config/definition.ts';
import type { HostedClient, QuestionHandlers } from '../connection/client.ts';
import type { HostedConnection } from '../connection/connectStdio.ts';
import type { StdioTransport } from '../connection/stdio.ts';
import { DefinedServer } from './definedServer.ts';
import { AgentQuestions, AgentRequests, editorAnswers, type ServedAgent } from './editorAnswers.ts';
import { InputNeededError, UnapprovedVariablesError } from './launcher.ts';
import { type ProcessState, removed, ServerProcess, type UseOptions } from './serverProcess.ts';

/**
 * `off`: switched off in its definition. `forbidden`: by settings of VS Code. `restricted`: the workspace is not trusted. `new` and
 * `changed`: the user has not approved it, or only another definition. `halted`: the user has stopped it. The others are the states of
 * its process.
 */
export type HostedState = NonNullable<DefinedServer['refusal']> | ProcessState;

/** The agent of a process that all agents share. */
const SHARED = 0;
const LOG_LINES = 500;

/** That of the process which most needs the user counts. */
const STATES: readonly ProcessState[] = ['failed', 'needsUser', 'starting', 'running', 'idle'];

/** One server of the window: its definition, its approval, what it offers, and its processes. */
export class Hosted extends DefinedServer {
  readonly questions: AgentQuestions;
  /** Whether agents have used it in this window. */
  isUsed = false;
  /** What the user has to enter before it starts; known once a start has failed for it. */
  missingInputs: readonly ServerInput[] = [];
  /** The last 500 lines of its stderr and of its life. Untrusted: it may hold secrets. */
  readonly lines: string[] = [];
  readonly #answers: QuestionHandlers;
  readonly #requests = new AgentRequests();
  readonly #processes = new Map<number, ServerProcess>();
  readonly #readAgain = rested(() =>
    this.eachRunning(async (client) => {
      await this.#keep(client);
      void this.tools; // judges them, which takes time as well
    }),
  );
  readonly #noted = new Set<string>();
  /** The level of log messages that an agent asked for last; what others do not want is left out later. */
  #level: string | undefined;
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor(...[server, place, slug, hash, parts]: ConstructorParameters<typeof DefinedServer>) {
    super(server, place, slug, hash, parts);
    this.questions = new AgentQuestions(this.options);
    const asking = () => ({ server: this.name, key: this.grantKey, callers: this.#requests.callers });
    const answers = editorAnswers(parts, this.name, asking, this.options);
    this.#answers = { ...answers, ...this.questions.answers };
  }

  get state(): HostedState {
    return this.refusal ?? this.processState;
  }

  get isStarting(): boolean {
    for (const { state } of this.#processes.values()) if (state === 'starting') return true;
    return false;
  }

  get processState(): ProcessState {
    const states = new Set([...this.#processes.values()].map(({ state }) => state));
    return STATES.find((state) => states.has(state)) ?? 'stopped';
  }

  /** Why it is forbidden, or failed last. It may hold secrets. */
  get problem(): string | undefined {
    const failed = [...this.#processes.values()].find(({ lastError }) => lastError);
    return this.server.forbidden ?? failed?.lastError;
  }

  /** Runs something with the server's client, as `ServerProcess.use`. @throws UserError also if it may not run */
  async use<T>(
    agent: ServedAgent,
    run: (client: HostedClient) => Promise<T>,
    options: UseOptions = {},
  ): Promise<T> {
    this.requireOn();
    this.isUsed = true;
    return this.#requests.during(agent, this.processOf(agent.id).use(run, options));
  }

  /** As `ServerProcess.follow`: the server is started for it, and runs as long. @param agent id. @throws UserError after `dispose` */
  follow(agent: number, uri: string, onChange: () => void): () => void {
    this.isUsed = true;
    return this.processOf(agent).follow(uri, onChange);
  }

  /** The process that an agent (by its id) has, which may not run yet. @throws UserError after `dispose` */
  processOf(agent: number): ServerProcess {
    if (this.isOver) throw removed(this.name);
    const id = this.options.share === 'agent' ? agent : SHARED;
    const process = this.#processes.get(id) ?? this.#newProcess();
    this.#processes.set(id, process);
    return process;
  }

  /** Runs something with each client that is connected; what is thrown is ignored, because the connection may have just ended. */
  async eachRunning(run: (client: HostedClient) => unknown): Promise<void> {
    const running = [...this.#processes.values()].filter(({ state }) => state === 'running');
    await Promise.allSettled(running.map((process) => process.use(async (client) => run(client))));
  }

  /** Reads its lists if that has not been done in this window; starts it if needed. @throws as `use` does */
  async read(): Promise<void> {
    if (this.#isRead) return;
    this.requireOn();
    const process = this.processOf(SHARED);
    this.#reading ??= process
      .use(async () => {})
      .finally(async () => {
        this.#reading = undefined;
        if (process.state !== 'starting') await this.end(SHARED); // else what it downloads would be lost
      });
    await this.#reading;
  }

  /** The agent wants log messages of this level or more severe ones. */
  setLogLevel(level: string): void {
    this.#level = level;
    void this.eachRunning((client) => this.#sendLevel(client));
  }

  async restart(): Promise<void> {
    this.requireOn(false);
    await this.setHalted(false);
    await this.processOf(SHARED).restart();
  }

  /** The user stops it: in this workspace only `restart` starts it again. */
  async halt(): Promise<void> {
    await this.setHalted(true);
    await this.stop();
  }

  /** Ends all of its processes; the next use starts one again. */
  async stop(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.stop()));
  }

  /** Ends the process of an agent that has gone, if it had its own. */
  async end(agent: number): Promise<void> {
    const process = this.options.share === 'agent' ? this.#processes.get(agent) : undefined;
    this.#processes.delete(process ? agent : -1);
    await process?.dispose();
  }

  /** Ends it for good: none of its processes is started again. */
  async dispose(): Promise<void> {
    this.isOver = true;
    this.#readAgain.dispose();
    await Promise.all([...this.#processes.values()].map((process) => process.dispose()));
  }

  #newProcess(): ServerProcess {
    const process = new ServerProcess({
      name: this.name,
      keepAlive: this.options.keepAlive,
      start: (signal) => this.#start(process, signal),
      onState: (state) => {
        if (state === 'needsUser') this.#log(`${process.lastError}`);
        else this.#log(state === 'failed' ? `failed: ${process.lastError}` : state);
        this.parts.onChange();
      },
    });
    return process;
  }

  async #start(process: ServerProcess, signal: AbortSignal): Promise<HostedConnection> {
    const connection = await this.#connect(process, signal);
    const { client } = connection;
    const stop = () => void client.close(); // it may never send its lists
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    try {
      await this.#keep(client);
    } catch (error) {
      await client.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    this.#sendLevel(client);
    return connection;
  }

  async #connect(process: ServerProcess, signal: AbortSignal): Promise<HostedConnection> {
    const { launcher, client, log } = this.parts;
    this.missingInputs = [];
    try {
      return await launcher.start(this.server, this.key, {
        ...client,
        signal,
        answers: this.#answers,
        knownEra: this.offer.era,
        ...(this.catalogue && { tools: this.catalogue.tools }),
        onNotification: (method, params) => this.#take(process, method, params),
        onTransport: (transport) => this.#watch(transport),
        onNote: (line) => {
          if (!this.#noted.has(line)) this.#log(line); // each start says the same
          this.#noted.add(line);
        },
        onError: ({ message }) => log.debug(`hosted server ${this.name}: ${message}`),
      });
    } catch (error) {
      if (error instanceof InputNeededError) this.missingInputs = error.inputs;
      if (error instanceof UnapprovedVariablesError) {
        this.variables = error.variables;
        this.offer.changed(); // agents do not get it any more
      }
      throw error;
    }
  }

  #watch(transport: StdioTransport): void {
    transport.stderr.added.listen((line) => this.#log(line));
    transport.onkilled = ({ input, term }) => {
      const line = `killed, because it did not end within ${(input + term) / 1000} s: what it started elsewhere may still run`;
      this.#log(line);
      this.parts.log.warn(`hosted server ${this.name}: ${line}`);
    };
  }

  #take(process: ServerProcess, method: string, params: unknown): void {
    const fields = fieldsOf(params);
    if (/^notifications\/(tools|prompts|resources)\/list_changed$/.test(method)) this.#readAgain();
    else if (method === 'notifications/resources/updated') process.following.updated(fields.uri);
    else if (method === 'notifications/message' && fields.data === undefined)
      this.#log('left out: a log message without "data"');
    else process.messages.fire({ method, params: fields });
  }

  #sendLevel(client: HostedClient): void {
    if (this.#level === undefined || client.era !== 'legacy' || !client.capabilities.logging) return;
    client.request('logging/setLevel', { level: this.#level }).catch(() => {}); // it only logs less then
  }

  #log(line: string): void {
    this.lines.push(line);
    if (this.lines.length > LOG_LINES) this.lines.shift();
  }

  async #keep(client: HostedClient): Promise<void> {
    await this.offer.read(client);
    this.#isRead = true;
    const { leftOut = [] } = this.catalogue ?? {};
    if (leftOut.length > 0) this.#log(`left out: ${leftOut.join(', ')}`);
  }
}
