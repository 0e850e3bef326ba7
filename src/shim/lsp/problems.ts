import { CHECK, CHECK_USERS, type CheckedFile } from '../../core/lsp/door.ts';

interface Options {
  /** Asks the window. @throws if it does not answer, or the signal is aborted */
  ask(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  publish(file: CheckedFile): void;
}

/** Pushes the problems of files that the client has told to have changed, and of files that use them. */
export class Problems {
  readonly #options: Options;
  /** Changed, and not checked since. */
  readonly #changed = new Set<string>();
  /** Changed, and the files that use them not checked since. */
  readonly #used = new Set<string>();
  /** Files that the client knows problems of. */
  readonly #published = new Set<string>();
  #isRunning = false;
  #users = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  changed(uri: string): void {
    this.#changed.add(uri);
    this.#used.add(uri);
    this.#users.abort();
    this.again();
  }

  /** There is a window, or another one: what could not be checked is. */
  again(): void {
    if (!this.#isRunning && this.#used.size > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#used.size > 0) if (!(await this.#next())) break;
    this.#isRunning = false;
  }

  /** @returns false if the window does not answer */
  async #next(): Promise<boolean> {
    this.#users = new AbortController();
    const { signal } = this.#users;
    // The file itself first: the client may wait for it.
    const uris = [...(this.#changed.size > 0 ? this.#changed : this.#used)];
    const isOwn = this.#changed.size > 0;
    const known = isOwn ? [] : [...this.#published].filter((uri) => !this.#used.has(uri));
    try {
      if (isOwn) for (const uri of uris) this.#changed.delete(uri);
      const method = isOwn ? CHECK : CHECK_USERS;
      const files = await this.#options.ask(method, { uris, known }, isOwn ? NEVER : signal);
      if (!isOwn) for (const uri of uris) this.#used.delete(uri);
      for (const file of files as CheckedFile[]) this.#publish(file, isOwn);
      return true;
    } catch {
      if (signal.aborted) return true;
      if (isOwn) for (const uri of uris) this.#changed.add(uri);
      return false;
    }
  }

  /** Not what was checked before a later change, which is checked as well. */
  #publish(file: CheckedFile, isOwn: boolean): void {
    const { uri, diagnostics } = file;
    const isNews = isOwn || diagnostics.length > 0 || this.#published.has(uri);
    if (this.#changed.has(uri) || !isNews) return;
    if (diagnostics.length > 0) this.#published.add(uri);
    else this.#published.delete(uri);
    this.#options.publish(file);
  }
}

const NEVER = new AbortController().signal;
