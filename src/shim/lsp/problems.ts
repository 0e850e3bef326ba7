import { CHECK, CHECK_USERS, type CheckedFile } from '../../core/lsp/door.ts';
import { clock } from '../../util/clock.ts';

interface Options {
  /** Asks the window. @throws if it does not answer, or the signal is aborted */
  ask(method: string, params: object, signal: AbortSignal): Promise<readonly CheckedFile[]>;
  publish(file: Required<CheckedFile>): void;
}

/** How long after a check a language server is asked again that had not reported yet, in milliseconds, and how often. */
const AGAIN = 2_000;
const MOST_TRIES = 5;

/** Pushes the problems of files that the client has told to have changed, and of files that use them. */
export class Problems {
  readonly #options: Options;
  /** Changed, and not checked since. */
  readonly #changed = new Set<string>();
  /** Changed, and the files that use them not checked since. */
  readonly #used = new Set<string>();
  /** Files that the client knows problems of. */
  readonly #published = new Set<string>();
  /** How often files were checked in vain. */
  readonly #tries = new Map<string, number>();
  #isRunning = false;
  /** Ends the check that runs: what changes meanwhile is to be checked with the new text. */
  #outdated = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  changed(uri: string): void {
    this.#tries.delete(uri);
    this.#changed.add(uri);
    this.#used.add(uri);
    this.#outdated.abort();
    this.again();
  }

  /** There is a window, or another one: what could not be checked is. */
  again(): void {
    if (!this.#isRunning && this.#used.size > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let isAnswered = true;
    // The files themselves first: the client may wait for them.
    while (this.#used.size > 0 && isAnswered)
      isAnswered = await (this.#changed.size > 0 ? this.#checkOwn() : this.#checkUsers());
    this.#isRunning = false;
  }

  /** @returns false if the window does not answer */
  async #checkOwn(): Promise<boolean> {
    const uris = [...this.#changed];
    const files = await this.#ask(CHECK, { uris });
    if (!files) return this.#outdated.signal.aborted;
    for (const uri of uris) this.#changed.delete(uri);
    for (const { uri, diagnostics } of files)
      if (diagnostics) this.#publish({ uri, diagnostics });
      else this.#tryAgain(uri);
    return true;
  }

  /** As `#checkOwn`. */
  async #checkUsers(): Promise<boolean> {
    const uris = [...this.#used];
    const known = [...this.#published].filter((uri) => !this.#used.has(uri));
    const files = await this.#ask(CHECK_USERS, { uris, known });
    if (!files) return this.#outdated.signal.aborted;
    for (const uri of uris) this.#used.delete(uri);
    for (const { uri, diagnostics } of files)
      if (diagnostics && (diagnostics.length > 0 || this.#published.has(uri)))
        this.#publish({ uri, diagnostics });
    return true;
  }

  /** Undefined without an answer, or if it is outdated. */
  async #ask(method: string, params: object): Promise<readonly CheckedFile[] | undefined> {
    this.#outdated = new AbortController();
    const { signal } = this.#outdated;
    const files = await this.#options.ask(method, params, signal).catch(() => undefined);
    return signal.aborted ? undefined : files;
  }

  #publish({ uri, diagnostics }: Required<CheckedFile>): void {
    if (diagnostics.length > 0) this.#published.add(uri);
    else this.#published.delete(uri);
    this.#options.publish({ uri, diagnostics });
  }

  #tryAgain(uri: string): void {
    const tries = (this.#tries.get(uri) ?? 0) + 1;
    this.#tries.set(uri, tries);
    if (tries > MOST_TRIES) return;
    clock.after(AGAIN, () => {
      if (this.#tries.get(uri) !== tries) return; // it has changed since
      this.#changed.add(uri);
      this.#used.add(uri);
      this.again();
    });
  }
}
