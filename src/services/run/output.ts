import { terminalText } from '../runs.ts';

/** Of the lines that are kept, in UTF-16 units: the first ones, and the last ones. */
const HEAD = 100_000;
const TAIL = 900_000;
/** What a short line counts, so that a million empty ones are not kept. */
const SHORT = 20;
/** Most of an unfinished line that is kept, its end: a progress bar is one line. */
const LONGEST_LINE = 64_000;

/**
 * What a run prints, as the lines that a terminal shows: without escape sequences, and with the last state of a line that was
 * written over. Of a long output the first and the last lines are kept.
 */
export class RunOutput {
  readonly #head: string[] = [];
  #headSize = 0;
  readonly #tail: string[] = [];
  #tailSize = 0;
  #dropped = 0;
  #unfinished = '';
  #hasEnded = false;

  push(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#keep(this.#unfinished + line);
      this.#unfinished = '';
    }
    this.#unfinished = tailOf(this.#unfinished + last);
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#unfinished !== '') this.#keep(this.#unfinished);
    this.#unfinished = '';
  }

  /** Lines between the first and the last ones that are not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The first lines; all if none are dropped. */
  get head(): readonly string[] {
    return this.#head;
  }

  /** The last lines, with one that is unfinished. */
  get tail(): readonly string[] {
    return this.isUnfinished ? [...this.#tail, shown(this.#unfinished)] : this.#tail;
  }

  /** Whether the last line may go on. */
  get isUnfinished(): boolean {
    return !this.#hasEnded && this.#unfinished !== '';
  }

  /** Of all lines, those that are dropped too. */
  get count(): number {
    return this.#head.length + this.#dropped + this.#tail.length + (this.isUnfinished ? 1 : 0);
  }

  #keep(raw: string): void {
    const line = shown(raw);
    if (this.#tail.length === 0 && this.#dropped === 0 && this.#headSize + sizeOf(line) <= HEAD) {
      this.#head.push(line);
      this.#headSize += sizeOf(line);
      return;
    }
    this.#tail.push(line);
    this.#tailSize += sizeOf(line);
    if (this.#tailSize < 2 * TAIL) return;
    let first = 0;
    for (; this.#tailSize > TAIL; first++) this.#tailSize -= sizeOf(this.#tail[first] ?? '');
    this.#dropped += first;
    this.#tail.splice(0, first);
  }
}

const sizeOf = (line: string): number => Math.max(SHORT, line.length + 1);

/** The beginning of a line whose own beginning is not kept. */
export const CUT = '[cut] ';

const tailOf = (raw: string): string =>
  raw.length <= LONGEST_LINE ? raw : CUT + raw.slice(CUT.length - LONGEST_LINE);

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;

/** A copy: a slice would keep all that it was cut from. */
function shown(raw: string): string {
  const line = tailOf(raw.endsWith('\r') ? raw.slice(0, -1) : raw); // which a terminal adds to each
  if (!CONTROL.test(line)) return line;
  const text = terminalText(line);
  return text.length * 2 < line.length ? Buffer.from(text).toString() : text;
}
