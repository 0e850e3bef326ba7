/** Characters that are kept of the end of a piece that is too long. */
const ENDING = 512;

/** A text, or its bytes. */
interface Part<T> {
  readonly length: number;
  indexOf(separator: string, from: number): number;
  slice(start: number, end?: number): T;
}

/**
 * Cuts a text, or its bytes, that comes in parts at each separator. The parts of an unfinished piece are kept apart until it ends, so a
 * long piece costs its length once; of one past the limit the beginning is kept and reported, with the last characters, and the
 * rest dropped.
 */
export class Splitter<T extends Part<T> = string> {
  readonly #separator: string;
  readonly #limit: number;
  readonly #onPiece: (piece: T) => void;
  readonly #onTooLong: (beginning: T, ending: T) => void;
  #parts: T[] = [];
  /** The last characters of a piece that is too long. */
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
    for (let end = this.#next(text, 0); end >= 0; end = this.#next(text, start)) {
      this.#append(text.slice(start, end));
      this.#end();
      start = end + 1;
    }
    if (start < text.length) this.#append(start === 0 ? text : text.slice(start));
  }

  /** Ends the piece that no separator has ended, if there is one. */
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

  #next(text: T, from: number): number {
    return text.indexOf(this.#separator, from);
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
