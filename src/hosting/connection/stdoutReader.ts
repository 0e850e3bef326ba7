import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { Splitter } from '../../util/splitter.ts';
import { ENDLESS_LINE, FLOOD, FloodGauge, LONGEST_LINE, MOST_UNASKED } from './flood.ts';
import { MAX_MESSAGE, messagesOf, tooLongAnswer } from './incoming.ts';
import { LineQueue } from './lineQueue.ts';

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

/** Reads messages from a server's stdout, and judges whether it misbehaves. */
export class StdoutReader {
  readonly garbage: Garbage = { count: 0, first: [] };
  readonly #handlers: Handlers;
  readonly #flood: FloodGauge;
  readonly #queue: LineQueue;
  /** Bytes since the last end of a line. */
  #lineBytes = 0;

  constructor(stdout: Readable, handlers: Handlers, limits = LIMITS) {
    this.#handlers = handlers;
    this.#flood = new FloodGauge(limits.unasked);
    this.#queue = new LineQueue(stdout, (line) => this.#take(line));
    const lines = new Splitter<Buffer>(
      '\n',
      limits.message,
      (line) => {
        this.#lineBytes = 0;
        this.#queue.push(line);
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

  get isStopped(): boolean {
    return this.#queue.isStopped;
  }

  /** Drops all further messages. */
  stop(): void {
    this.#queue.stop();
  }

  /** A message was sent to the server, which it may answer. */
  sent(): void {
    this.#flood.sent();
  }

  #take(line: Buffer): void {
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    if (this.#flood.received()) this.#handlers.misbehaved(FLOOD);
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
