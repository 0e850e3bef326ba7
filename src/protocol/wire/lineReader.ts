import { StringDecoder } from 'node:string_decoder';
import { Splitter } from '../../util/splitter.ts';

/** Cuts a byte stream into lines of text; empty ones are left out, one past the limit is dropped and reported. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #splitter: Splitter;

  /** @param limit longest line, in UTF-16 units */
  constructor(
    onLine: (line: string) => void,
    onTooLong: (beginning: string, ending: string) => void,
    limit: number,
  ) {
    const onPiece = (line: string) => {
      if (line.trim() !== '') onLine(line);
    };
    this.#splitter = new Splitter('\n', limit, onPiece, onTooLong);
  }

  push(chunk: Buffer): void {
    this.#splitter.push(this.#decoder.write(chunk));
  }

  /** The stream has ended: a last line without a newline is a line too. */
  end(): void {
    this.#splitter.push(this.#decoder.end());
    this.#splitter.end();
  }
}
