import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { clock } from '../../util/clock.ts';
import { unlessAborted, within } from '../../util/deadline.ts';
import { Emitter } from '../../util/emitter.ts';
import type { HostedClient } from '../connection/client.ts';
import { ConnectionClosedError } from '../connection/connectionClosed.ts';
import type { HostedConnection } from '../connection/connectStdio.ts';
import { BackOff } from './backOff.ts';

/** How long a use waits for the start, in milliseconds: agents end a call after 60 s, but a first start may download for minutes. */
const PATIENCE = 45_000;
/** Time without a use after which a server is stopped, in milliseconds. */
const IDLE = 15 * 60_000;
/** Time of running after which earlier failures are forgotten, in milliseconds. */
const STABLE = 5 * 60_000;

/** `idle`: stopped because nobody used it. `failed`: the start failed or it ended unasked. `use` starts it in each of them. */
export type ServerState = 'stopped' | 'starting' | 'running' | 'idle' | 'failed';

export interface HostedServerOptions {
  /** Shown in errors. */
  name: string;
  /** Starts a server, as `connectStdio`; must reject once the signal aborts, and leave nothing behind if it rejects. */
  connect(signal: AbortSignal): Promise<HostedConnection>;
  /** Whether it goes on running when nobody uses it. */
  keepAlive?: boolean;
}

export interface UseOptions {
  /** The use changes nothing, so it is repeated once if the server ends meanwhile. */
  readOnly?: boolean;
  /** Ends the wait for the start. Pass it on to the request as well. */
  signal?: AbortSignal;
}

/** One start of the server. */
interface Run {
  abort: AbortController;
  connection: Promise<HostedConnection>;
  /** The same, once it is open: calls do not wait then. */
  open?: HostedConnection;
}

/** Of a server that is not hosted any more, or with another definition. @param name of the server */
export const removed = (name: string): UserError =>
  new UserError(`The server ${name} was removed or changed. See tools/list.`);

/** One hosted server for all agents: starts with the first use, one process for all, stops when idle, survives crashes. */
export class HostedServer {
  readonly #options: HostedServerOptions;
  readonly #backOff = new BackOff();
  readonly #changed = new Emitter<ServerState>();
  #state: ServerState = 'stopped';
  #lastError: string | undefined;
  #run: Run | undefined;
  /** When it began to start, by the clock. */
  #startedAt = 0;
  /** The end of earlier processes: two must not run at once. */
  #ending: Promise<void> = Promise.resolve();
  #users = 0;
  /** Those of the users that need no answer, but a running server. */
  #holds = 0;
  #cancelIdle = () => {};
  #isOver = false;

  constructor(options: HostedServerOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Why it failed last, with the last error on its stderr (which may hold secrets); undefined once it runs again. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  onDidChangeState(listener: (state: ServerState) => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /**
   * Runs something with the server's client; starts the server if needed, after a pause of 1 to 60 s if it has failed before.
   * The server is in use until the promise settles.
   *
   * @throws UserError if the server does not start, takes longer than 45 s for it (it goes on starting), or ends meanwhile; CancelledError; what `run` throws
   */
  async use<T>(run: (client: HostedClient) => Promise<T>, options: UseOptions = {}): Promise<T> {
    this.#users++;
    this.#cancelIdle();
    try {
      return await this.#useOnce(run, options).catch((error) => {
        if (!options.readOnly || !(error instanceof ConnectionClosedError) || this.#state !== 'failed')
          throw error;
        return this.#useOnce(run, options);
      });
    } catch (error) {
      throw error instanceof ConnectionClosedError ? this.#unknownEffect(options) : error;
    } finally {
      if (--this.#users === 0) this.#waitForIdle();
    }
  }

  /**
   * Starts the server and keeps it running: it is started again after a failure, with the same pauses and tries, but not after `stop`.
   *
   * @returns a function that lets it go
   */
  hold(): () => void {
    this.#users++;
    this.#holds++;
    this.#cancelIdle();
    this.#startHeld();
    return () => {
      this.#holds--;
      if (--this.#users === 0) this.#waitForIdle();
    };
  }

  /** Ends the server. Requests in progress fail; the next use starts it again. */
  stop(): Promise<void> {
    return this.#stop('stopped');
  }

  /** Ends it for good: it is never started again. */
  dispose(): Promise<void> {
    this.#isOver = true;
    return this.stop();
  }

  /** Stops it, forgets failures and starts it. @throws UserError if it does not start */
  async restart(): Promise<void> {
    void this.stop();
    this.#backOff.reset();
    await this.#started();
    if (this.#users === 0) this.#waitForIdle();
  }

  async #useOnce<T>(run: (client: HostedClient) => Promise<T>, { signal }: UseOptions): Promise<T> {
    if (signal) throwIfCancelled(signal);
    const { client, closed } = this.#run?.open ?? (await this.#startedInTime(signal));
    try {
      return await run(client);
    } catch (error) {
      if (error instanceof ConnectionClosedError) await closed; // then the state says why
      throw error;
    }
  }

  /** The pause after a failure does not count. */
  async #startedInTime(signal = new AbortController().signal): Promise<HostedConnection> {
    const started = unlessAborted(this.#started(), signal);
    const began = clock.now();
    for (let left = PATIENCE; left > 0; ) {
      const connection = await within(started, left, undefined);
      throwIfCancelled(signal);
      if (connection) return connection;
      if (this.#state === 'starting') left = PATIENCE - (clock.now() - Math.max(began, this.#startedAt));
    }
    throw this.#stillStarting();
  }

  #started(): Promise<HostedConnection> {
    if (this.#run) return this.#run.connection;
    if (this.#isOver) return Promise.reject(removed(this.#options.name));
    if (this.#backOff.isOver) return Promise.reject(this.#gaveUp());
    const abort = new AbortController();
    const run: Run = { abort, connection: this.#start(abort.signal) };
    this.#run = run;
    run.connection.then(
      (connection) => this.#runs(run, connection),
      (error) => this.#fails(run, (error as Error).message),
    );
    return run.connection;
  }

  #startHeld(): void {
    if (this.#holds > 0) this.#started().catch(() => {}); // its state says why
  }

  async #start(signal: AbortSignal): Promise<HostedConnection> {
    await this.#ending;
    await this.#backOff.pause(signal);
    try {
      throwIfCancelled(signal);
      this.#startedAt = clock.now();
      this.#setState('starting');
      return await this.#options.connect(signal);
    } catch (error) {
      if (signal.aborted) throw this.#error('was stopped before it had started.');
      if (!(error instanceof UserError)) throw error;
      throw this.#error(`did not start. ${error.message}`);
    }
  }

  #runs(run: Run, connection: HostedConnection): void {
    if (this.#run !== run) return;
    run.open = connection;
    this.#lastError = undefined;
    this.#setState('running');
    const cancelStable = clock.after(STABLE, () => this.#backOff.reset());
    void connection.closed.then((reason) => {
      cancelStable();
      this.#fails(run, reason);
    });
  }

  #fails(run: Run, reason: string): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    this.#cancelIdle();
    this.#lastError = reason;
    this.#backOff.failed();
    this.#setState('failed');
    this.#startHeld();
  }

  async #stop(state: ServerState): Promise<void> {
    this.#cancelIdle();
    const run = this.#run;
    this.#run = undefined;
    this.#setState(state);
    run?.abort.abort();
    const ended = run?.connection.then(({ client }) => client.close()).catch(() => {});
    this.#ending = Promise.all([this.#ending, ended]).then(() => {});
    await this.#ending;
  }

  #waitForIdle(): void {
    this.#cancelIdle();
    if (this.#options.keepAlive || !this.#run) return;
    this.#cancelIdle = clock.after(IDLE, () => void this.#stop('idle'));
  }

  #setState(state: ServerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#changed.fire(state);
  }

  #error(text: string): UserError {
    return new UserError(`The server ${this.#options.name} ${text}`);
  }

  #stillStarting(): UserError {
    const seconds = Math.round((clock.now() - this.#startedAt) / 1_000);
    return this.#error(
      `is still starting (${seconds} s): a first start may download what it needs. Call again to wait for it.`,
    );
  }

  #gaveUp(): UserError {
    return this.#error(
      `failed too often, so it is not started again. ${this.#lastError} Ask the user to restart it.`,
    );
  }

  #unknownEffect({ readOnly }: UseOptions): UserError {
    const reason = this.#state === 'failed' ? (this.#lastError ?? '') : 'It was stopped.';
    const advice = readOnly
      ? 'Try again later.'
      : 'It is unknown whether the call took effect: check before you repeat it.';
    return this.#error(`ended during the call. ${reason} ${advice}`);
  }
}
