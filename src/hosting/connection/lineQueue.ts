import type { Readable } from 'node:stream';

/** Most lines and bytes handled in one turn of the event loop (one line may be longer). */
const LINES_A_TURN = 64;
const BYTES_A_TURN = 256 * 1024;

/** Handles lines in order, a limited number each turn, and pauses the stream meanwhile: others in the process go on. */
export class LineQueue {
  readonly #source: Readable;
  readonly #handle: (line: Buffer) => void;
  #waiting: Buffer[] = [];
  #lines = 0;
  #bytes = 0;
  #isTurnPlanned = false;
  #isStopped = false;

  constructor(source: Readable, handle: (line: Buffer) => void) {
    this.#source = source;
    this.#handle = handle;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  push(line: Buffer): void {
    if (this.#isStopped) return;
    this.#waiting.push(line);
    this.#run();
  }

  /** Drops all further lines. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
  }

  #run(): void {
    while (this.#lines < LINES_A_TURN && this.#bytes < BYTES_A_TURN) {
      const line = this.#waiting.shift();
      if (line === undefined) break;
      this.#lines++;
      this.#bytes += line.length;
      this.#handle(line);
    }
    if (this.#waiting.length > 0) this.#source.pause();
    if (!this.#isTurnPlanned) setImmediate(() => this.#nextTurn());
    this.#isTurnPlanned = true;
  }

  #nextTurn(): void {
    this.#isTurnPlanned = false;
    this.#lines = 0;
    this.#bytes = 0;
    if (this.#waiting.length > 0) this.#run();
    if (this.#waiting.length === 0 && this.#source.isPaused()) this.#source.resume();
  }
}
