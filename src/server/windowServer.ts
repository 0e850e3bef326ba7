import { explained } from '../ipc/fileErrors.ts';
import type { GoodbyeReason } from '../ipc/goodbye.ts';
import { Emitter } from '../util/emitter.ts';
import { ServerRun, type WindowDescription, type WindowServerOptions } from './serverRun.ts';
import { prepareStateDirectory } from './stateDirectory.ts';

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

/** The server of one window: the socket that agents reach, and the record by which they find it. */
export class WindowServer {
  readonly #options: WindowServerOptions;
  readonly #changes = new Emitter();
  #state: ServerState = 'stopped';
  #error: Error | undefined;
  #run: ServerRun | undefined;
  /** The last start, through or not: a start waits for what an earlier one, stopped meanwhile, has to give back. */
  #started: Promise<void> = Promise.resolve();

  constructor(options: WindowServerOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Why the server has failed. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** The window's id, while the server runs. */
  get id(): string | undefined {
    return this.#run?.record?.id;
  }

  /** How many agents are connected. */
  get connections(): number {
    return this.#run?.connections ?? 0;
  }

  /** Calls the listener when the state or the number of connections has changed. */
  onDidChangeState(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** Resolves when the server runs, has failed, or was stopped again; never rejects. Does nothing while it runs. */
  start(): Promise<void> {
    if (!this.#run) {
      const run = new ServerRun(this.#options, () => this.#changes.fire());
      this.#run = run;
      this.#become('starting');
      this.#started = this.#started.then(() => this.#open(run));
    }
    return this.#started;
  }

  /**
   * Ends all sessions and removes socket, record and lock, at once.
   *
   * @param goodbye what shims are told where it is the person who ends it; without, nothing is written and waited for
   */
  stop(goodbye?: GoodbyeReason): void {
    this.#end('stopped', undefined, goodbye);
  }

  /** As the person wants it. */
  async restart(): Promise<void> {
    this.stop('restarting');
    await this.start();
  }

  /**
   * Brings the record up to date, soon; a start that is under way sees the change by itself. Fails the server when a
   * workspace folder now holds the state directory.
   */
  updateRecord(change: Partial<WindowDescription>): void {
    if (!this.#run) return;
    try {
      if (change.workspaceFolders) prepareStateDirectory(this.#options.home, this.#options.folderPaths());
      this.#run.update(change);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #open(run: ServerRun): Promise<void> {
    try {
      await run.open();
      if (!run.isClosed) this.#become('running');
    } catch (error) {
      if (!run.isClosed) this.#fail(error);
    }
  }

  #fail(problem: unknown): void {
    const error = explained(problem, this.#options.home);
    this.#options.log.error(error);
    this.#end('failed', error);
  }

  #end(state: ServerState, error?: Error, goodbye?: GoodbyeReason): void {
    const run = this.#run;
    this.#run = undefined;
    run?.close(goodbye);
    this.#become(state, error);
  }

  #become(state: ServerState, error?: Error): void {
    this.#state = state;
    this.#error = error;
    this.#changes.fire();
  }
}
