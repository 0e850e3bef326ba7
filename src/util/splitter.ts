/** Characters that are kept of the end of a piece that is too long. */
const ENDING = 512;

/**
 * Cuts a text that comes in parts at each separator. The parts of an unfinished piece are kept apart until it ends, so a
 * long piece costs its length once; of one past the limit the beginning is kept and reported, with the last characters, and the
 * rest dropped.
 */
export class Splitter {
  readonly #separator: string;
  readonly #limit: number;
  readonly #onPiece: (piece: string) => void;
  readonly #onTooLong: (beginning: string, ending: string) => void;
  #parts: string[] = [];
  /** The last characters of a piece that is too long. */
  #ending = '';
  #length = 0;

  /** @param separator one character. @param limit longest piece, in UTF-16 units */
  constructor(
    separator: string,
    limit: number,
    onPiece: (piece: string) => void,
    onTooLong: (beginning: string, ending: string) => void = () => {},
  ) {
    this.#separator = separator;
    this.#limit = limit;
    this.#onPiece = onPiece;
    this.#onTooLong = onTooLong;
  }

  push(text: string): void {
    let start = 0;
    for (let end = this.#next(text, 0); end >= 0; end = this.#next(text, start)) {
      this.#append(text.slice(start, end));
      this.end();
      start = end + 1;
    }
    if (start < text.length) this.#append(start === 0 ? text : text.slice(start));
  }

  /** Ends the piece that no separator has ended. */
  end(): void {
    const tooLong = this.#length > this.#limit;
    const piece = this.#parts.length === 1 ? (this.#parts[0] as string) : this.#parts.join('');
    const ending = this.#ending;
    this.#parts = [];
    this.#ending = '';
    this.#length = 0;
    if (tooLong) this.#onTooLong(piece.slice(0, this.#limit), ending);
    else this.#onPiece(piece);
  }

  #next(text: string, from: number): number {
    return text.indexOf(this.#separator, from);
  }

  #append(part: string): void {
    const wasTooLong = this.#length > this.#limit;
    if (!wasTooLong) this.#parts.push(part);
    this.#length += part.length;
    if (wasTooLong) this.#ending = (this.#ending + part.slice(-ENDING)).slice(-ENDING);
    else if (this.#length > this.#limit) this.#ending = this.#parts.slice(-ENDING).join('').slice(-ENDING);
  }
}
