/** Lines of a text: 1-based, ended by LF or CRLF. After a final line break there is one more, empty line. */

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Offset of the start of a line, in UTF-16 units. @param from known offset of `fromLine`, to continue from there */
export function offsetOfLine(text: string, line: number, from = 0, fromLine = 1): number {
  let at = from;
  for (let current = fromLine; current < line; current++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** The lines from `first` to `last`, both included, with their line breaks. */
export function sliceLines(text: string, first: number, last: number): string {
  const from = offsetOfLine(text, first);
  return text.slice(from, offsetOfLine(text, last + 1, from, first));
}

/** Length of the ending kept of a piece that is too long, in UTF-16 units or bytes. */
const ENDING = 512;

/** A text, or its bytes. */
interface Part<T> {
  readonly length: number;
  indexOf(separator: string, from: number): number;
  slice(start: number, end?: number): T;
}

/**
 * Splits a stream of text or bytes at each separator. Parts of an unfinished piece are joined only at its end, so a long piece
 * is copied once. If a piece exceeds the limit, only its beginning and last characters are kept and reported.
 */
export class Splitter<T extends Part<T> = string> {
  readonly #separator: string;
  readonly #limit: number;
  readonly #onPiece: (piece: T) => void;
  readonly #onTooLong: (beginning: T, ending: T) => void;
  #parts: T[] = [];
  #ending: T[] = [];
  #length = 0;

  /** @param separator one character. @param limit longest piece, in UTF-16 units or bytes */
  constructor(
    separator: string,
    limit: number,
    onPiece: (piece: T) => void,
    onTooLong: (beginning: T, ending: T) => void = () => {},
  ) {
    this.#separator = separator;
    this.#limit = limit;
    this.#onPiece = onPiece;
    this.#onTooLong = onTooLong;
  }

  push(text: T): void {
    let start = 0;
    for (let end = text.indexOf(this.#separator, 0); end >= 0; end = text.indexOf(this.#separator, start)) {
      const part = text.slice(start, end);
      if (this.#parts.length === 0 && part.length <= this.#limit) this.#onPiece(part);
      else {
        this.#append(part);
        this.#end();
      }
      start = end + 1;
    }
    if (start < text.length) this.#append(start === 0 ? text : text.slice(start));
  }

  end(): void {
    if (this.#parts.length > 0) this.#end();
  }

  #end(): void {
    const tooLong = this.#length > this.#limit;
    const piece = join(this.#parts);
    const ending = this.#ending;
    this.#parts = [];
    this.#ending = [];
    this.#length = 0;
    if (tooLong) this.#onTooLong(piece.slice(0, this.#limit), join(ending));
    else this.#onPiece(piece);
  }

  #append(part: T): void {
    const wasTooLong = this.#length > this.#limit;
    if (!wasTooLong) this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#limit) return;
    const last = wasTooLong ? [...this.#ending, part.slice(-ENDING)] : this.#parts.slice(-ENDING);
    this.#ending = [join(last).slice(-ENDING)];
  }
}

function join<T extends Part<T>>(parts: readonly T[]): T {
  const [first, ...others] = parts as readonly unknown[];
  if (others.length === 0) return first as T;
  return (typeof first === 'string' ? parts.join('') : Buffer.concat(parts as never)) as never;
}
