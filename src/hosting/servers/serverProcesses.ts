import { throwIfCancelled } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { unlessAborted } from '../../util/clock.ts';
import { rested } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import type { ServerInput, ServerOptions } from '../config/definition.ts';
import type { UsableServer } from '../config/sources.ts';
import type { HostedClient } from '../connection/client.ts';
import type { HostedConnection } from '../connection/openConnection.ts';
import type { StdioOptions, StdioTransport } from '../connection/stdio.ts';
import { InputNeededError, type Launcher, UnapprovedVariablesError } from './launcher.ts';
import type { ServerOffer } from './offer.ts';
import type { ServerQuestions } from './questions.ts';
import { type ProcessOwner, type ProcessState, removed, ServerProcess } from './serverProcess.ts';

/** The agent of a process that all agents share. */
const SHARED_PROCESS = 0;
const LOG_LINES = 500;

/** The state of the process which most needs the user counts. */
const STATES_BY_NEED: readonly ProcessState[] = ['failed', 'needsUser', 'starting', 'running', 'idle'];

export interface ProcessesNeeds {
  launcher: Pick<Launcher, 'start'>;
  /** What every connection is opened with. */
  client: Pick<StdioOptions, 'clientInfo' | 'processes' | 'showsApps'>;
  log: Log;
  /** Called when a state has changed. */
  onChange(): void;
}

/** The server whose processes they are. */
interface RunServer {
  readonly name: string;
  readonly key: string;
  readonly config: UsableServer;
  readonly options: Pick<ServerOptions, 'share' | 'keepAlive'>;
  readonly offer: ServerOffer;
  readonly questions: Pick<ServerQuestions, 'handlers'>;
}

/** The processes of one server, or its connections if it is remote: one for all agents, or one for each. Reads its lists, and keeps its log. */
export class ServerProcesses implements ProcessOwner {
  /** What the user has to enter before it starts; known once a start has failed for it. */
  missingInputs: readonly ServerInput[] = [];
  /** The last 500 lines of its stderr and of its life. Untrusted: it may hold secrets. */
  readonly lines: string[] = [];
  /** Whether none is started any more. */
  isOver = false;
  readonly #server: RunServer;
  readonly #needs: ProcessesNeeds;
  readonly #all = new Map<number, ServerProcess>();
  readonly #readAgain = rested(() =>
    this.eachRunning(async (client) => {
      await this.#readLists(client);
      void this.#server.offer.tools; // judges them, which takes time as well
    }),
  );
  readonly #notes = new Set<string>();
  /** The level of log messages that an agent asked for last; what others do not want is left out later. */
  #logLevel: string | undefined;
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor(server: RunServer, needs: ProcessesNeeds) {
    this.#server = server;
    this.#needs = needs;
  }

  get state(): ProcessState {
    const states = new Set([...this.#all.values()].map(({ state }) => state));
    return STATES_BY_NEED.find((state) => states.has(state)) ?? 'stopped';
  }

  get isStarting(): boolean {
    return [...this.#all.values()].some(({ state }) => state === 'starting');
  }

  /** Why one failed last. It may hold secrets. */
  get lastError(): string | undefined {
    return [...this.#all.values()].find(({ lastError }) => lastError)?.lastError;
  }

  /** The process that an agent (by its id) has, which may not run yet. @throws UserError after `dispose` */
  of(agent = SHARED_PROCESS): ServerProcess {
    const { name, options } = this.#server;
    if (this.isOver) throw removed(name);
    const id = options.share === 'agent' ? agent : SHARED_PROCESS;
    const process = this.#all.get(id) ?? new ServerProcess({ ...options, name, owner: this });
    this.#all.set(id, process);
    return process;
  }

  /** Runs something with each client that is connected; what is thrown is ignored, because the connection may have just ended. */
  async eachRunning(run: (client: HostedClient) => unknown): Promise<void> {
    const running = [...this.#all.values()].filter(({ state }) => state === 'running');
    await Promise.allSettled(running.map((process) => process.withClient(async (client) => run(client))));
  }

  /** Reads the lists if that has not been done in this window; starts the server if needed. @throws as `ServerProcess.withClient` does */
  async read(): Promise<void> {
    if (this.#isRead) return;
    const process = this.of();
    this.#reading ??= process
      .withClient(async () => {})
      .finally(async () => {
        this.#reading = undefined;
        if (process.state !== 'starting') await this.end(SHARED_PROCESS); // else what it downloads would be lost
      });
    await this.#reading;
  }

  /** The agent wants log messages of this level or more severe ones. */
  setLogLevel(level: string): void {
    this.#logLevel = level;
    void this.eachRunning((client) => this.#sendLogLevel(client));
  }

  /** Ends all; the next use starts one again. */
  async stop(): Promise<void> {
    await Promise.all([...this.#all.values()].map((process) => process.stop()));
  }

  /** Ends the process of an agent that has gone, if it had its own. */
  async end(agent: number): Promise<void> {
    if (this.#server.options.share !== 'agent') return;
    const process = this.#all.get(agent);
    this.#all.delete(agent);
    await process?.dispose();
  }

  /** Ends all for good. */
  async dispose(): Promise<void> {
    this.isOver = true;
    this.#readAgain.dispose();
    await Promise.all([...this.#all.values()].map((process) => process.dispose()));
  }

  /** Connects, and reads the lists. */
  async start(process: ServerProcess, signal: AbortSignal): Promise<HostedConnection> {
    const connection = await this.#connect(process, signal);
    const { client } = connection;
    try {
      await unlessAborted(this.#readLists(client), signal); // it may never send its lists
      throwIfCancelled(signal);
    } catch (error) {
      await client.close();
      throw error;
    }
    this.#sendLogLevel(client);
    return connection;
  }

  stateChanged({ state, lastError }: ServerProcess): void {
    if (state === 'needsUser') this.#log(`${lastError}`);
    else this.#log(state === 'failed' ? `failed: ${lastError}` : state);
    this.#needs.onChange();
  }

  async #connect(process: ServerProcess, signal: AbortSignal): Promise<HostedConnection> {
    const { launcher, client, log } = this.#needs;
    const { name, config, key, offer, questions } = this.#server;
    this.missingInputs = [];
    try {
      return await launcher.start(config, key, {
        ...client,
        signal,
        answers: questions.handlers,
        knownEra: offer.era,
        tools: offer.catalogue?.tools ?? [],
        onNotification: (method, params) => this.#notified(process, method, fieldsOf(params)),
        onTransport: (transport) => this.#watch(transport),
        onNote: (line) => {
          if (!this.#notes.has(line)) this.#log(line); // each start says the same
          this.#notes.add(line);
        },
        onError: ({ message }) => log.debug(`hosted server ${name}: ${message}`),
      });
    } catch (error) {
      if (error instanceof InputNeededError) this.missingInputs = error.inputs;
      if (error instanceof UnapprovedVariablesError) offer.changed(); // agents do not get it any more
      throw error;
    }
  }

  #watch(transport: StdioTransport): void {
    transport.stderr.added.listen((line) => this.#log(line));
    transport.onkilled = ({ input, term }) => {
      const line = `killed, because it did not end within ${(input + term) / 1000} s: what it started elsewhere may still run`;
      this.#log(line);
      this.#needs.log.warn(`hosted server ${this.#server.name}: ${line}`);
    };
  }

  #notified(process: ServerProcess, method: string, params: Fields): void {
    if (/^notifications\/(tools|prompts|resources)\/list_changed$/.test(method)) this.#readAgain();
    else if (method === 'notifications/resources/updated') process.following.updated(params.uri);
    else if (method === 'notifications/message' && params.data === undefined)
      this.#log('left out: a log message without "data"');
    else process.messages.fire({ method, params });
  }

  #sendLogLevel(client: HostedClient): void {
    if (this.#logLevel === undefined || client.era !== 'legacy' || !client.capabilities.logging) return;
    client.request('logging/setLevel', { level: this.#logLevel }).catch(() => {}); // it only logs less then
  }

  #log(line: string): void {
    this.lines.push(line);
    if (this.lines.length > LOG_LINES) this.lines.shift();
  }

  async #readLists(client: HostedClient): Promise<void> {
    const { offer } = this.#server;
    await offer.read(client);
    this.#isRead = true;
    const { leftOut = [] } = offer.catalogue ?? {};
    if (leftOut.length > 0) this.#log(`left out: ${leftOut.join(', ')}`);
  }
}
