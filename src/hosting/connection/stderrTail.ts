import { Emitter } from '../../util/emitter.ts';
import { Splitter } from '../../util/splitter.ts';
import type { Hide } from '../hide.ts';

/** Lines kept, and UTF-16 units kept of each: 1 MiB of ASCII. */
const LINES = 200;
const LONGEST = 5_242;
/** Number of last lines in which an error is looked for. */
const NEAR_THE_END = 20;

/** What npm says first of its failure; its code, and at the end hints and the path of its log, tell a user less. */
const REASON_OF_NPM = /^npm (error|ERR!) (?!code |errno |syscall |path )\S/;

/** The last lines that a server wrote to stderr. */
export class StderrTail {
  readonly #hide: Hide;
  readonly #lines: string[] = [];
  readonly #added = new Emitter<string>();
  readonly #splitter = new Splitter(
    '\n',
    LONGEST,
    (line) => this.#add(line),
    (beginning) => this.#add(`${beginning}…`),
  );

  constructor(hide: Hide = (text) => text) {
    this.#hide = hide;
  }

  /** At most 200 lines, each cut to 5,242 UTF-16 units. Untrusted text: it may hold control characters, and secrets that are not known here. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** npm's reason, or the last line that mentions an error, because runtimes print their version or a hint after it; else the last one. */
  get complaint(): string | undefined {
    const last = this.#lines.slice(-NEAR_THE_END).filter((line) => line.trim() !== '');
    const reason = last.find((line) => REASON_OF_NPM.test(line));
    const complaint = reason ?? last.findLast((line) => /error|exception|fatal|panic/i.test(line));
    return (complaint ?? last.at(-1))?.trim();
  }

  /** Calls the listener with each further line. */
  onLine(listener: (line: string) => void): { dispose(): void } {
    return this.#added.listen(listener);
  }

  push(text: string): void {
    this.#splitter.push(text);
  }

  end(): void {
    this.#splitter.end();
  }

  #add(text: string): void {
    const line = this.#hide(text.replace(/\r$/, ''));
    this.#lines.push(line);
    if (this.#lines.length > LINES) this.#lines.shift();
    this.#added.fire(line);
  }
}
