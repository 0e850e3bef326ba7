/** Longest part of a line, in bytes, by which it may be judged before its end has come. */
export const HEAD_BYTES = 512;

/** Longest line that is kept, in bytes: the window takes none that is longer, so of those the beginning is enough. */
const LONGEST = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Cuts chunks of bytes into lines. A line is handed on once it is complete; of one without end only the beginning. */
export class Lines {
  readonly #onLine: (line: Buffer) => void;
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(onLine: (line: Buffer) => void, longest = LONGEST) {
    this.#onLine = onLine;
    this.#longest = longest;
  }

  /** Whether the last line has begun and not ended. */
  get unfinished(): boolean {
    return this.#length > 0;
  }

  /** The line that has begun and not ended. */
  get rest(): Buffer {
    return Buffer.concat(this.#parts);
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#endWith(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** Ends the line that has begun, as a newline does. */
  end(): void {
    const [first = Buffer.alloc(0)] = this.#parts;
    const line = this.#parts.length > 1 ? Buffer.concat(this.#parts) : first;
    this.#parts = [];
    this.#length = 0;
    this.#onLine(line);
  }

  /** Most lines are whole within one chunk: those are handed on as they are. */
  #endWith(part: Buffer): void {
    if (this.#length === 0) {
      this.#onLine(part);
    } else {
      this.#add(part);
      this.end();
    }
  }

  #add(part: Buffer): void {
    const before = this.#length;
    this.#length += part.length;
    if (before > this.#longest) return;
    this.#parts.push(part);
    // Copied, not cut: a part of the chunk would keep all of it in memory.
    if (this.#length > this.#longest) this.#parts = [Buffer.concat(this.#parts, HEAD_BYTES)];
  }
}
