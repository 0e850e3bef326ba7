import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, parsedJson } from '../../core/json.ts';
import { errorReply, idOfPart, LIMIT_REACHED, type RequestId } from '../../core/jsonRpc.ts';
import { Splitter } from '../../core/text/lines.ts';
import { clock } from '../../util/clock.ts';

/** Longest message from a server, in bytes. */
export const MESSAGE_BYTES = 64 * 1024 * 1024;

/** Bytes at the start of a message that is too long, in which its id is looked for. */
const HEAD_BYTES = 512;

/**
 * The messages of a line: one, or those of a batch (2025-03-26). Undefined if the line has none: servers print banners and log
 * lines to stdout, some of them as JSON.
 */
export function messagesOf(line: string): JSONRPCMessage[] | undefined {
  const messages = [parsedJson(line.replace(/^\uFEFF/, ''))].flat().filter(isMessage);
  return messages.length > 0 ? messages : undefined;
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isObject(value) &&
  value.jsonrpc === '2.0' &&
  (typeof value.method === 'string' || 'result' in value || 'error' in value);

/** The answer in place of one that is too long; undefined if the id of that is not found. */
function tooLongAnswer(beginning: Buffer, ending: Buffer): JSONRPCMessage | undefined {
  const head = beginning.toString('utf8', 0, HEAD_BYTES);
  // A request of the server has an id of its own.
  const isAnswer = !/^\s*\{[^{[]*"method"\s*:/.test(head);
  const id = isAnswer ? idOfPart(head, ending.toString('utf8')) : undefined;
  return id === undefined ? undefined : oversizedReply(id);
}

/** The error that a request gets instead of an answer that is too long. */
export function oversizedReply(id: RequestId): JSONRPCMessage {
  const limit = { limit: MESSAGE_BYTES, unit: 'bytes of one message' };
  return errorReply(id, LIMIT_REACHED, TOO_LONG_TEXT, limit) as JSONRPCMessage;
}

const TOO_LONG_TEXT = `The server's answer is longer than ${MESSAGE_BYTES / 1024 / 1024} MB, so it was not read. Ask for less at once.`;

/** Most messages that answer nothing, in a window of so many milliseconds: 2,000 a second for 10 s. */
const MOST_UNASKED = 20_000;
const FLOOD_WINDOW_MS = 10_000;

/** Most bytes of one line before the server is stopped: beyond the message limit they are only thrown away. */
const LINE_BYTES = 256 * 1024 * 1024;

export const FLOOD_REASON = `It was stopped because it sent more than ${MOST_UNASKED} messages within ${FLOOD_WINDOW_MS / 1000} s that nobody asked for.`;
const TOO_LONG_REASON = `It was stopped because it sent a message longer than ${MESSAGE_BYTES} bytes.`;
const ENDLESS_LINE_REASON = `It was stopped because it sent a line longer than ${LINE_BYTES / 1024 / 1024} MB.`;

/** Judges whether a server floods: it sends far more messages (garbage included) than it receives. */
export class FloodGauge {
  #start = Number.NEGATIVE_INFINITY;
  #unasked = 0;
  readonly #most: number;

  constructor(most = MOST_UNASKED) {
    this.#most = most;
  }

  /** A message to the server: it may answer with one. */
  sent(): void {
    this.#unasked--;
  }

  /** A line from the server. @returns whether it floods */
  received(): boolean {
    const now = clock.now();
    if (now - this.#start > FLOOD_WINDOW_MS) {
      this.#start = now;
      this.#unasked = 0;
    }
    return ++this.#unasked > this.#most;
  }
}

/** Lines of garbage kept for the log, and UTF-16 units kept of each. */
const GARBAGE_LINES = 10;
const GARBAGE_LENGTH = 200;

interface Handlers {
  message(message: JSONRPCMessage): void;
  /** The server must be stopped. @param reason a sentence that starts with "It" */
  misbehaved(reason: string): void;
}

/** Bytes of a message and of a line; messages that nobody asked for. */
const LIMITS = { message: MESSAGE_BYTES, line: LINE_BYTES, unasked: MOST_UNASKED };

/** Most lines and bytes handled in one turn of the event loop (one line may be longer). */
const LINES_A_TURN = 64;
const BYTES_A_TURN = 256 * 1024;

/**
 * Reads messages from a server's stdout, and judges whether it misbehaves. A limited number of lines is handled each turn, and the stream
 * is paused meanwhile: others in the process go on.
 */
export class StdoutReader {
  /** Lines on stdout that were no messages: their number, and the beginnings of the first ones for the log. */
  readonly garbage = { count: 0, first: [] as string[] };
  /** Drops all further messages. */
  isStopped = false;
  /** Counts each message to the server, which it may answer. */
  readonly flood: FloodGauge;
  readonly #stdout: Readable;
  readonly #handlers: Handlers;
  #lineBytes = 0;
  #waiting: Buffer[] = [];
  /** What this turn has handled. */
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
      if (this.#lineBytes > limits.line) handlers.misbehaved(ENDLESS_LINE_REASON);
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
    if (this.flood.received()) this.#handlers.misbehaved(FLOOD_REASON);
    const messages = messagesOf(text);
    if (!messages) this.#ignore(text);
    for (const message of messages ?? []) this.#handlers.message(message);
  }

  #takeTooLong(beginning: Buffer, ending: Buffer): void {
    const answer = tooLongAnswer(beginning, ending);
    if (answer) this.#handlers.message(answer);
    else this.#handlers.misbehaved(TOO_LONG_REASON);
  }

  #ignore(text: string): void {
    this.garbage.count++;
    if (this.garbage.first.length < GARBAGE_LINES) this.garbage.first.push(text.slice(0, GARBAGE_LENGTH));
  }
}
