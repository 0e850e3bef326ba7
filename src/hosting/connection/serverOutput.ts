import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { Emitter } from '../../util/emitter.ts';
import { Splitter } from '../../util/splitter.ts';
import type { Hide } from '../hide.ts';
import {
  ENDLESS_LINE,
  FLOOD,
  FloodGauge,
  LONGEST_LINE,
  MAX_MESSAGE,
  MOST_UNASKED,
  messagesOf,
  tooLongAnswer,
} from './incoming.ts';

/** Lines of garbage kept for the log, and UTF-16 units kept of each. */
const GARBAGE_LINES = 10;
const GARBAGE_LENGTH = 200;

/** Lines on stdout that were no messages: their number, and the beginnings of the first ones for the log. */
export interface Garbage {
  count: number;
  first: string[];
}

interface Handlers {
  message(message: JSONRPCMessage): void;
  /** The server must be stopped. @param reason a sentence that starts with "It" */
  misbehaved(reason: string): void;
}

/** Bytes of a message and of a line; messages that nobody asked for. */
const LIMITS = { message: MAX_MESSAGE, line: LONGEST_LINE, unasked: MOST_UNASKED };

/** Most lines and bytes handled in one turn of the event loop (one line may be longer). */
const LINES_A_TURN = 64;
const BYTES_A_TURN = 256 * 1024;

/**
 * Reads messages from a server's stdout, and judges whether it misbehaves. A limited number of lines is handled each turn, and the stream
 * is paused meanwhile: others in the process go on.
 */
export class StdoutReader {
  readonly garbage: Garbage = { count: 0, first: [] };
  /** Drops all further messages. */
  isStopped = false;
  /** Tell it of each message to the server, which it may answer. */
  readonly flood: FloodGauge;
  readonly #stdout: Readable;
  readonly #handlers: Handlers;
  /** Bytes since the last end of a line. */
  #lineBytes = 0;
  #waiting: Buffer[] = [];
  /** Of this turn. */
  #lines = 0;
  #bytes = 0;
  #isTurnPlanned = false;

  constructor(stdout: Readable, handlers: Handlers, limits = LIMITS) {
    this.#stdout = stdout;
    this.#handlers = handlers;
    this.flood = new FloodGauge(limits.unasked);
    const lines = new Splitter<Buffer>(
      '\n',
      limits.message,
      (line) => {
        this.#lineBytes = 0;
        if (this.isStopped) return;
        this.#waiting.push(line);
        this.#handleLines();
      },
      (beginning, ending) => {
        this.#lineBytes = 0;
        this.#takeTooLong(beginning, ending);
      },
    );
    stdout.on('data', (bytes: Buffer) => {
      if (this.isStopped) return;
      this.#lineBytes += bytes.length;
      lines.push(bytes);
      if (this.#lineBytes > limits.line) handlers.misbehaved(ENDLESS_LINE);
    });
    stdout.on('end', () => lines.end());
  }

  #handleLines(): void {
    while (!this.isStopped && this.#lines < LINES_A_TURN && this.#bytes < BYTES_A_TURN) {
      const line = this.#waiting.shift();
      if (line === undefined) break;
      this.#lines++;
      this.#bytes += line.length;
      this.#take(line);
    }
    if (this.#waiting.length > 0) this.#stdout.pause();
    if (!this.#isTurnPlanned) setImmediate(this.#nextTurn);
    this.#isTurnPlanned = true;
  }

  readonly #nextTurn = (): void => {
    this.#isTurnPlanned = false;
    this.#lines = 0;
    this.#bytes = 0;
    if (this.isStopped) this.#waiting = [];
    if (this.#waiting.length > 0) this.#handleLines();
    if (this.#waiting.length === 0 && this.#stdout.isPaused()) this.#stdout.resume();
  };

  #take(line: Buffer): void {
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    if (this.flood.received()) this.#handlers.misbehaved(FLOOD);
    const messages = messagesOf(text);
    if (!messages) this.#ignore(text);
    for (const message of messages ?? []) this.#handlers.message(message);
  }

  #takeTooLong(beginning: Buffer, ending: Buffer): void {
    const answer = tooLongAnswer(beginning, ending);
    if (answer) this.#handlers.message(answer);
    else
      this.#handlers.misbehaved(`It was stopped because it sent a message longer than ${MAX_MESSAGE} bytes.`);
  }

  #ignore(text: string): void {
    this.garbage.count++;
    if (this.garbage.first.length < GARBAGE_LINES) this.garbage.first.push(text.slice(0, GARBAGE_LENGTH));
  }
}

/** Lines of stderr kept, and UTF-16 units kept of each: 1 MiB of ASCII. */
const STDERR_LINES = 200;
const LONGEST_STDERR = 5_242;
/** Number of last lines in which an error is looked for. */
const NEAR_THE_END = 20;

/** What npm says first of its failure; its code, and at the end hints and the path of its log, tell a user less. */
const REASON_OF_NPM = /^npm (error|ERR!) (?!code |errno |syscall |path )\S/;

/** The last lines that a server wrote to stderr. */
export class StderrTail {
  readonly #hide: Hide;
  readonly #lines: string[] = [];
  readonly #added = new Emitter<string>();
  readonly #splitter = new Splitter(
    '\n',
    LONGEST_STDERR,
    (line) => this.#add(line),
    (beginning) => this.#add(`${beginning}…`),
  );

  constructor(hide: Hide = (text) => text) {
    this.#hide = hide;
  }

  /** At most 200 lines, each cut to 5,242 UTF-16 units. Untrusted text: it may hold control characters, and secrets that are not known here. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** npm's reason, or the last line that mentions an error, because runtimes print their version or a hint after it; else the last one. */
  get complaint(): string | undefined {
    const last = this.#lines.slice(-NEAR_THE_END).filter((line) => line.trim() !== '');
    const reason = last.find((line) => REASON_OF_NPM.test(line));
    const complaint = reason ?? last.findLast((line) => /error|exception|fatal|panic/i.test(line));
    return (complaint ?? last.at(-1))?.trim();
  }

  /** Calls the listener with each further line. */
  onLine(listener: (line: string) => void): { dispose(): void } {
    return this.#added.listen(listener);
  }

  push(text: string): void {
    this.#splitter.push(text);
  }

  end(): void {
    this.#splitter.end();
  }

  #add(text: string): void {
    const line = this.#hide(text.replace(/\r$/, ''));
    this.#lines.push(line);
    if (this.#lines.length > STDERR_LINES) this.#lines.shift();
    this.#added.fire(line);
  }
}
