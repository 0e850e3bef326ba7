import type { GoodbyeReason } from '../ipc/preamble.ts';
import { explained } from '../ipc/replaceFile.ts';
import { Emitter } from '../util/events.ts';
import {
  prepareStateDirectory,
  ServerRun,
  type WindowDescription,
  type WindowServerOptions,
} from './serverRun.ts';

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

/** The server of one window: the socket for agents, and the record with which they find it. */
export class WindowServer {
  readonly #options: WindowServerOptions;
  readonly #changes = new Emitter();
  state: ServerState = 'stopped';
  error: Error | undefined;
  #run: ServerRun | undefined;
  /** The last start. A new start waits for it, so that a stopped one has released everything. */
  #started: Promise<void> = Promise.resolve();

  constructor(options: WindowServerOptions) {
    this.#options = options;
  }

  /** The window's id, while the server runs. */
  get id(): string | undefined {
    return this.#run?.record?.id;
  }

  get connections(): number {
    return this.#run?.connections ?? 0;
  }

  /** Calls the listener when the state or the number of connections changes. */
  onDidChangeState(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** Resolves when the server runs, has failed, or was stopped; never rejects. Does nothing if it runs. */
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
   * Ends all sessions and removes socket, record and lock, synchronously.
   *
   * @param goodbye reason sent to shims if the user stops the server; without it, connections are destroyed at once
   */
  stop(goodbye?: GoodbyeReason): void {
    this.#end('stopped', undefined, goodbye);
  }

  async restart(): Promise<void> {
    this.stop('restarting');
    await this.start();
  }

  /**
   * Updates the record soon; a running start uses the current values anyway. Fails the server if a workspace folder now
   * contains the state directory.
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
    this.state = state;
    this.error = error;
    this.#changes.fire();
  }
}
