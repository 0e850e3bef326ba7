/** How much is kept of the first lines and of the last ones, in UTF-16 units. */
const HEAD = 100_000;
const TAIL = 900_000;
/** What a short line counts, so that a million empty ones are not kept. */
const SHORT = 20;
/** Most of one line that is kept, in UTF-16 units: its beginning and its end. */
const LONGEST_LINE = { head: 100_000, tail: 300_000 };

/** The first and the last of the lines that were printed, and the number of all. */
export class KeptLines {
  #head: string[] = [];
  #headSize = 0;
  #tail: string[] = [];
  #tailSize = 0;
  #dropped = 0;

  /** The first lines; all if none are dropped. */
  get head(): readonly string[] {
    return this.#head;
  }

  get tail(): readonly string[] {
    return this.#tail;
  }

  /** Lines between them that are not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get count(): number {
    return this.#head.length + this.#dropped + this.#tail.length;
  }

  /** @param line with its middle cut, if it is very long */
  add(line: string): void {
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

  /** Drops them all, and keeps their number. */
  drop(): void {
    this.#dropped = this.count;
    [this.#head, this.#tail, this.#headSize, this.#tailSize] = [[], [], 0, 0];
  }
}

const sizeOf = (line: string): number => Math.max(SHORT, line.length + 1);

/** What is in the place of a middle that is not kept. */
const MARK = /^\[(\d+) characters are not kept\]/;

/**
 * A line, without its middle if it is too long to be kept.
 *
 * @param slack so many times as much may wait: not each part of a line that goes on costs a copy
 */
export function withoutMiddle(line: string, slack = 1): string {
  const { head, tail } = LONGEST_LINE;
  if (line.length <= (head + tail) * slack) return line;
  const [mark = '', before = 0] = MARK.exec(line.slice(head, head + 50)) ?? [];
  const cut = line.length - head - tail - mark.length + Number(before);
  const kept = `${line.slice(0, head)}[${cut} characters are not kept]${line.slice(-tail)}`;
  return Buffer.from(kept).toString(); // a slice would keep all that it was cut from
}

/** Whether the middle of a line is not kept. */
export const isWithoutMiddle = (line: string): boolean =>
  line.length > LONGEST_LINE.tail && MARK.test(line.slice(LONGEST_LINE.head, LONGEST_LINE.head + 50));
