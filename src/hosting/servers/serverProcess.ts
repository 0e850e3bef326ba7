import { throwIfCancelled, UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { clock, delay, unlessAborted, within } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';
import { ConnectionClosedError, type HostedClient } from '../connection/client.ts';
import { NeedsUserError } from '../connection/negotiate.ts';
import type { HostedConnection } from '../connection/openConnection.ts';
import { FollowedResources } from './following.ts';

/** How long a use waits for the start, in milliseconds: agents end a call after 60 s, but a first start may download for minutes. */
const START_WAIT_MS = 45_000;
/** Time without a use after which a server is stopped, in milliseconds. */
const IDLE_MS = 15 * 60_000;
/** Time of running after which earlier failures are forgotten, in milliseconds. */
const STABLE_MS = 5 * 60_000;
/** Pauses after failures in a row, in milliseconds; after one more failure, only the user starts a server. */
const PAUSES_MS = [1_000, 4_000, 16_000, 60_000];

/**
 * `idle`: stopped because nobody used it. `needsUser`: the start needs a value or a sign-in of the user. `failed`: the start failed or
 * it ended unasked. The next use starts it in each of them.
 */
export type ProcessState = 'stopped' | 'starting' | 'running' | 'idle' | 'needsUser' | 'failed';

/** Whose process it is: `ServerProcesses`. */
export interface ProcessOwner {
  /** Starts it by `Launcher.start`; must reject once the signal aborts, and leave nothing behind if it rejects. */
  start(process: ServerProcess, signal: AbortSignal): Promise<HostedConnection>;
  stateChanged(process: ServerProcess): void;
}

interface ProcessOptions {
  /** The name of the server. */
  name: string;
  /** Whether it goes on running when nobody uses it. */
  keepAlive: boolean;
  owner: ProcessOwner;
}

/** A notification of the server, with its params as sent. */
export interface ServerMessage {
  method: string;
  params: Fields;
}

export interface UseOptions {
  /** The use changes nothing, so it is repeated once if the server ends meanwhile. */
  readOnly?: boolean;
  /** Ends the wait for the start. Pass it on to the request as well. */
  signal?: AbortSignal;
  /** Gets the server's messages meanwhile: it does not say which request they belong to. */
  onMessage?(message: ServerMessage): void;
}

/** From one start to the end. */
interface Run {
  abort: AbortController;
  connection: Promise<HostedConnection>;
  /** What `connection` resolves to, once it is open: calls do not wait then. */
  open?: HostedConnection;
}

/** The error for a server that is not hosted any more, or with another definition. @param name of the server */
export const removed = (name: string): UserError =>
  new UserError(`The server ${name} was removed or changed. See tools/list.`);

/**
 * The process of a server, or the connection to a remote one, for all agents or for one: starts with the first use, stops when idle,
 * survives crashes.
 */
export class ServerProcess {
  state: ProcessState = 'stopped';
  /** Why it failed last, with the last error on its stderr (which may hold secrets); undefined once it runs again. */
  lastError: string | undefined;
  /** Messages that are for agents. */
  readonly messages = new Emitter<ServerMessage>();
  readonly #options: ProcessOptions;
  readonly following = new FollowedResources();
  #run: Run | undefined;
  /** When it began to start, by the clock. */
  #startedAt = 0;
  /** The end of earlier runs: two must not go on at once. */
  #ending: Promise<void> = Promise.resolve();
  #users = 0;
  /** How many of the users need no answer, but a running server. */
  #holds = 0;
  /** In a row. */
  #failures = 0;
  /** When it may start again, by the clock. */
  #next = 0;
  #cancelIdle = () => {};
  #isOver = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /**
   * Runs something with the server's client; starts the server if needed, after a pause of 1 to 60 s if it has failed before.
   * The server is in use until the promise settles.
   *
   * @throws UserError if the server does not start, takes longer than 45 s for it (it goes on starting), or ends meanwhile; CancelledError; what `run` throws
   */
  async withClient<T>(run: (client: HostedClient) => Promise<T>, options: UseOptions = {}): Promise<T> {
    const { readOnly, signal, onMessage } = options;
    const listening = onMessage && this.messages.listen(onMessage);
    this.#users++;
    this.#cancelIdle();
    try {
      for (let isLast = !readOnly; ; isLast = true) {
        const { client, closed } = this.#run?.open ?? (await this.#startedInTime(signal));
        try {
          return await run(client);
        } catch (error) {
          if (!(error instanceof ConnectionClosedError)) throw error;
          await closed; // then the state says why
          if (isLast || this.state !== 'failed') throw this.#unknownEffect(options);
        }
      }
    } finally {
      listening?.dispose();
      this.#release();
    }
  }

  /**
   * Calls back when a resource changes. The server is started and kept running: it is started again after a failure, with the same
   * pauses and tries, but not after `stop`.
   *
   * @returns a function that ends it
   */
  follow(uri: string, onChange: () => void): () => void {
    const end = this.following.follow(uri, onChange);
    this.#users++;
    this.#holds++;
    this.#cancelIdle();
    this.#startHeld();
    return () => {
      end();
      this.#holds--;
      this.#release();
    };
  }

  /** Ends the server. Requests in progress fail; the next use starts it again. */
  async stop(state: 'stopped' | 'idle' = 'stopped'): Promise<void> {
    this.#cancelIdle();
    const run = this.#run;
    this.#run = undefined;
    this.#setState(state);
    run?.abort.abort();
    const ended = run?.connection.then(({ client }) => client.close()).catch(() => {});
    this.#ending = Promise.all([this.#ending, ended]).then(() => {});
    await this.#ending;
  }

  /** Ends it for good: it is never started again. */
  dispose(): Promise<void> {
    this.#isOver = true;
    return this.stop();
  }

  /** Stops it, forgets failures and starts it. @throws UserError if it does not start */
  async restart(): Promise<void> {
    void this.stop();
    this.#failures = 0;
    await this.#started();
    if (this.#users === 0) this.#waitForIdle();
  }

  #release(): void {
    if (--this.#users === 0) this.#waitForIdle();
  }

  /** The pause after a failure does not count. */
  async #startedInTime(signal = new AbortController().signal): Promise<HostedConnection> {
    throwIfCancelled(signal);
    const started = unlessAborted(this.#started(), signal);
    const began = clock.now();
    for (let left = START_WAIT_MS; left > 0; ) {
      const connection = await within(started, left, undefined);
      throwIfCancelled(signal);
      if (connection) return connection;
      if (this.state === 'starting') left = START_WAIT_MS - (clock.now() - Math.max(began, this.#startedAt));
    }
    const seconds = Math.round((clock.now() - this.#startedAt) / 1_000);
    throw this.#error(
      `is still starting (${seconds} s): a first start may download what it needs. Call again to wait for it.`,
    );
  }

  async #started(): Promise<HostedConnection> {
    if (this.#run) return this.#run.connection;
    if (this.#isOver) throw removed(this.#options.name);
    if (this.#failures > PAUSES_MS.length)
      throw this.#error(
        `failed too often, so it is not started again. ${this.lastError} Ask the user to restart it.`,
      );
    const abort = new AbortController();
    const run: Run = { abort, connection: this.#start(abort.signal) };
    this.#run = run;
    run.connection.then(
      (connection) => this.#runs(run, connection),
      (error: Error) => this.#fails(run, error.message, error instanceof NeedsUserError),
    );
    return run.connection;
  }

  #startHeld(): void {
    if (this.#holds > 0) this.#started().catch(() => {}); // its state says why
  }

  async #start(signal: AbortSignal): Promise<HostedConnection> {
    await this.#ending;
    const pause = this.#failures === 0 ? 0 : this.#next - clock.now();
    if (pause > 0) await delay(pause, signal).catch(() => {});
    try {
      throwIfCancelled(signal);
      this.#startedAt = clock.now();
      this.#setState('starting');
      return await this.#options.owner.start(this, signal);
    } catch (error) {
      if (signal.aborted) throw this.#error('was stopped before it had started.');
      if (!(error instanceof UserError)) throw error;
      const Kind = error instanceof NeedsUserError ? NeedsUserError : UserError;
      throw this.#error(`did not start. ${error.message}`, Kind);
    }
  }

  #runs(run: Run, connection: HostedConnection): void {
    if (this.#run !== run) return;
    run.open = connection;
    this.lastError = undefined;
    this.following.connected(connection.client);
    this.#setState('running');
    const cancelStable = clock.after(STABLE_MS, () => {
      this.#failures = 0;
    });
    void connection.closed.then((reason) => {
      cancelStable();
      this.#fails(run, reason);
    });
  }

  #fails(run: Run, reason: string, needsUser = false): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    this.#cancelIdle();
    this.lastError = reason;
    if (!needsUser) this.#next = clock.now() + (PAUSES_MS[this.#failures++] ?? 0);
    this.#setState(needsUser ? 'needsUser' : 'failed');
    if (!needsUser) this.#startHeld();
  }

  #waitForIdle(): void {
    this.#cancelIdle();
    if (this.#options.keepAlive || !this.#run) return;
    this.#cancelIdle = clock.after(IDLE_MS, () => void this.stop('idle'));
  }

  #setState(state: ProcessState): void {
    if (this.state === state) return;
    this.state = state;
    this.#options.owner.stateChanged(this);
  }

  #error(text: string, Kind = UserError): UserError {
    return new Kind(`The server ${this.#options.name} ${text}`);
  }

  #unknownEffect({ readOnly }: UseOptions): UserError {
    const reason = this.state === 'failed' ? (this.lastError ?? '') : 'It was stopped.';
    const advice = readOnly
      ? 'Try again later.'
      : 'It is unknown whether the call took effect: check before you repeat it.';
    return this.#error(`ended during the call. ${reason} ${advice}`);
  }
}
