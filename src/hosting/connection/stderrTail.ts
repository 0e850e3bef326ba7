import { Splitter } from '../../core/text/lines.ts';
import { Emitter } from '../../util/events.ts';
import type { Hide } from '../hide.ts';

/** Last lines in which an error is looked for, and UTF-16 units kept of each line. */
const LINES = 20;
const LINE_LENGTH = 5_242;

/** What npm says first of its failure; its code, and at the end hints and the path of its log, tell a user less. */
const NPM_REASON = /^npm (error|ERR!) (?!code |errno |syscall |path )\S/;

export class StderrTail {
  readonly #hide: Hide;
  readonly #last: string[] = [];
  /** Each line. Untrusted text: it may hold control characters, and secrets that are not known here. */
  readonly added = new Emitter<string>();
  readonly #splitter = new Splitter(
    '\n',
    LINE_LENGTH,
    (line) => this.#add(line),
    (beginning) => this.#add(`${beginning}…`),
  );

  constructor(hide: Hide = (text) => text) {
    this.#hide = hide;
  }

  /** npm's reason, or the last line that mentions an error, because runtimes print their version or a hint after it; else the last one. */
  get complaint(): string | undefined {
    const last = this.#last.filter((line) => line.trim() !== '');
    const reason = last.find((line) => NPM_REASON.test(line));
    const complaint = reason ?? last.findLast((line) => /error|exception|fatal|panic/i.test(line));
    return (complaint ?? last.at(-1))?.trim();
  }

  push(text: string): void {
    this.#splitter.push(text);
  }

  end(): void {
    this.#splitter.end();
  }

  #add(text: string): void {
    const line = this.#hide(text.replace(/\r$/, ''));
    this.#last.push(line);
    if (this.#last.length > LINES) this.#last.shift();
    this.added.fire(line);
  }
}
