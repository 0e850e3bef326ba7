import { CHECK, CHECK_USERS, type CheckedFile } from '../../core/lsp/door.ts';
import { clock } from '../../util/clock.ts';

interface Options {
  /** Asks the window. @throws if it does not answer, or the signal is aborted */
  ask(method: string, params: object, signal: AbortSignal): Promise<readonly CheckedFile[]>;
  publish(file: Required<CheckedFile>): void;
}

/** How long after a check a language server is asked again that had not reported yet, in milliseconds: longer each time. */
const AGAIN = 2_000;
const MOST_TRIES = 6;

/** Pushes the problems of files that the client has told to have changed, and of files that use them. */
export class Problems {
  readonly #options: Options;
  /** Files that are checked now. */
  readonly #checks = new Map<string, AbortController>();
  /** How often files were checked before a server had reported. */
  readonly #tries = new Map<string, number>();
  /** Files whose problems are not known, as there is no window, or it has other text. */
  readonly #waiting = new Set<string>();
  /** Changed, and the files that use them not checked since. */
  readonly #used = new Set<string>();
  /** What the client knows: by file, those that it has problems of. */
  readonly #published = new Map<string, string>();
  #users: AbortController | undefined;
  /** Whether other files are to be checked, once those that are checked now are. */
  #isDue = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The client has opened a file. */
  opened(uri: string): void {
    this.#tries.delete(uri);
    void this.#check(uri);
  }

  /** The client has written a file. */
  changed(uri: string): void {
    this.#used.add(uri);
    this.#isDue = true;
    this.opened(uri);
  }

  deleted(uri: string): void {
    this.#checks.get(uri)?.abort();
    this.#checks.delete(uri);
    this.#waiting.delete(uri);
    if (this.#published.has(uri)) this.#publish({ uri, diagnostics: [] });
    this.#used.add(uri);
    this.#isDue = true;
    this.#checkUsers();
  }

  isKnown(uri: string): boolean {
    return this.#published.has(uri);
  }

  /** There is a window, or another one, or a text was saved in it: what is not known may be, and what was known may have changed. */
  again(): void {
    const waiting = [...this.#waiting];
    for (const uri of waiting) void this.#check(uri);
    this.#isDue = true;
    this.#checkUsers();
  }

  async #check(uri: string): Promise<void> {
    this.#checks.get(uri)?.abort();
    this.#users?.abort(); // until the file is checked: the client may wait for it
    const ended = new AbortController();
    this.#checks.set(uri, ended);
    const files = await this.#ask(CHECK, { uri }, ended.signal);
    if (this.#checks.get(uri) !== ended) return;
    this.#checks.delete(uri);
    if (ended.signal.aborted) return;
    const [file] = files ?? [];
    if (file?.diagnostics) {
      this.#waiting.delete(uri);
      this.#publish({ uri, diagnostics: file.diagnostics });
    } else if (file) this.#tryAgain(uri);
    else this.#waiting.add(uri);
    if (this.#checks.size === 0 && files) this.#checkUsers();
  }

  #checkUsers(): void {
    const isWorthIt = this.#isDue && this.#used.size + this.#published.size > 0;
    if (this.#checks.size === 0 && isWorthIt) void this.#askUsers();
  }

  async #askUsers(): Promise<void> {
    this.#users?.abort();
    const ended = new AbortController();
    this.#users = ended;
    const uris = [...this.#used];
    const known = [...this.#published.keys()].filter((uri) => !this.#used.has(uri));
    const files = await this.#ask(CHECK_USERS, { uris, known }, ended.signal);
    if (!files || ended.signal.aborted) return;
    this.#isDue = false;
    for (const uri of uris) this.#used.delete(uri);
    for (const { uri, diagnostics } of files)
      if (!diagnostics) this.#tryAgain(uri);
      else if (printOf(diagnostics) !== this.#published.get(uri)) this.#publish({ uri, diagnostics });
  }

  /** Undefined without an answer. */
  #ask(method: string, params: object, signal: AbortSignal): Promise<readonly CheckedFile[] | undefined> {
    return this.#options.ask(method, params, signal).catch(() => undefined);
  }

  #publish({ uri, diagnostics }: Required<CheckedFile>): void {
    const print = printOf(diagnostics);
    this.#tries.delete(uri);
    if (print) this.#published.set(uri, print);
    else this.#published.delete(uri);
    this.#options.publish({ uri, diagnostics });
  }

  #tryAgain(uri: string): void {
    const tries = this.#tries.get(uri) ?? 0;
    this.#tries.set(uri, tries + 1);
    if (tries >= MOST_TRIES) return void this.#waiting.add(uri);
    clock.after(AGAIN * 2 ** tries, () => {
      if (this.#tries.get(uri) === tries + 1 && !this.#checks.has(uri)) void this.#check(uri);
    });
  }
}

/** Equal for equal problems; undefined without any. */
const printOf = (diagnostics: readonly object[]): string | undefined =>
  diagnostics.length > 0 ? JSON.stringify(diagnostics) : undefined;
