import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a byte stream into lines. Chunks of an unfinished line are kept apart until it ends, so a long line costs its
 * length once; one past the limit is dropped up to its end and reported.
 */
export class LineReader {
  #parts: string[] = [];
  #length = 0;
  #dropping = false;
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  readonly #limit: number;

  /** @param limit longest line, in UTF-16 units */
  constructor(onLine: (line: string) => void, onTooLong: () => void, limit: number) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#append(text.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < text.length) this.#append(start === 0 ? text : text.slice(start));
  }

  /** The stream has ended: a last line without a newline is a line too. */
  end(): void {
    this.#append(this.#decoder.end());
    this.#endLine();
  }

  #append(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#limit) this.#dropping = true;
    if (this.#dropping) this.#parts = [];
    else this.#parts.push(part);
  }

  #endLine(): void {
    const line = this.#parts.length === 1 ? (this.#parts[0] as string) : this.#parts.join('');
    const dropped = this.#dropping;
    this.#parts = [];
    this.#length = 0;
    this.#dropping = false;
    if (dropped) this.#onTooLong();
    else if (line.trim() !== '') this.#onLine(line);
  }
}
