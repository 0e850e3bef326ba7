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
  #users = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  changed(uri: string): void {
    this.#tries.delete(uri);
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
    // The files themselves first: the client may wait for them.
    while (this.#used.size > 0)
      if (!(await (this.#changed.size > 0 ? this.#checkOwn() : this.#checkUsers()))) break;
    this.#isRunning = false;
  }

  /** @returns false if the window does not answer */
  async #checkOwn(): Promise<boolean> {
    const uris = [...this.#changed];
    this.#changed.clear();
    const files = await this.#ask(CHECK, { uris }, NEVER);
    if (!files) for (const uri of uris) this.#changed.add(uri);
    for (const { uri, diagnostics } of files ?? [])
      if (diagnostics) this.#publish({ uri, diagnostics });
      else this.#tryAgain(uri);
    return files !== undefined;
  }

  /** As `#checkOwn`. A change meanwhile ends it: it begins again once the file is checked. */
  async #checkUsers(): Promise<boolean> {
    this.#users = new AbortController();
    const { signal } = this.#users;
    const uris = [...this.#used];
    const known = [...this.#published].filter((uri) => !this.#used.has(uri));
    const files = await this.#ask(CHECK_USERS, { uris, known }, signal);
    if (signal.aborted) return true;
    if (files) for (const uri of uris) this.#used.delete(uri);
    for (const { uri, diagnostics } of files ?? [])
      if (diagnostics && (diagnostics.length > 0 || this.#published.has(uri)))
        this.#publish({ uri, diagnostics });
    return files !== undefined;
  }

  #ask(method: string, params: object, signal: AbortSignal): Promise<readonly CheckedFile[] | undefined> {
    return this.#options.ask(method, params, signal).catch(() => undefined);
  }

  /** Not what was checked before a later change, which is checked as well. */
  #publish({ uri, diagnostics }: Required<CheckedFile>): void {
    if (this.#changed.has(uri)) return;
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

const NEVER = new AbortController().signal;
