/** Longest part of a line, in bytes, by which it may be judged before its end has come. */
export const HEAD_BYTES = 512;

const NEWLINE = 0x0a;

/**
 * Cuts chunks of bytes into lines. A line is handed on once it is complete: whole, or only its first bytes where it came
 * in parts and `headSuffices` says that they tell enough, so that a long answer is neither kept nor copied on its way.
 */
export class Lines {
  readonly #onLine: (line: Buffer) => void;
  readonly #headSuffices: (head: Buffer) => boolean;
  #parts: Buffer[] = [];
  #length = 0;
  #headOnly = false;

  constructor(onLine: (line: Buffer) => void, headSuffices: (head: Buffer) => boolean = () => false) {
    this.#onLine = onLine;
    this.#headSuffices = headSuffices;
  }

  /** Whether the last line has begun and not ended. */
  get unfinished(): boolean {
    return this.#length > 0;
  }

  /** The line that has begun and not ended; only its head where that suffices. */
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
    this.#headOnly = false;
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
    if (this.#headOnly) return;
    this.#parts.push(part);
    if (before < HEAD_BYTES && this.#length >= HEAD_BYTES) this.#cutToHead();
  }

  #cutToHead(): void {
    // Copied, not cut: a part of the chunk would keep all of it in memory.
    const head = Buffer.concat(this.#parts, HEAD_BYTES);
    this.#headOnly = this.#headSuffices(head);
    if (this.#headOnly) this.#parts = [head];
  }
}
