import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, itemsOf, parsedJson } from '../../core/json.ts';
import { errorReply, idOfPart, LIMIT_REACHED, type RequestId } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';

/** Longest message from a server, in bytes. */
export const MAX_MESSAGE = 64 * 1024 * 1024;

/** Bytes at the start of a message that is too long, in which its id is looked for. */
const HEAD = 512;

/**
 * The messages of a line: one, or those of a batch (2025-03-26). Undefined if the line has none: servers print banners and log
 * lines to stdout, some of them as JSON.
 */
export function messagesOf(line: string): JSONRPCMessage[] | undefined {
  const value = parsedJson(line.replace(/^\uFEFF/, ''));
  const messages = (Array.isArray(value) ? itemsOf(value) : [value]).filter(isMessage);
  return messages.length > 0 ? messages : undefined;
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isObject(value) &&
  value.jsonrpc === '2.0' &&
  (typeof value.method === 'string' || 'result' in value || 'error' in value);

/** The answer in place of one that is too long; undefined if the id of that is not found. */
export function tooLongAnswer(beginning: Buffer, ending: Buffer): JSONRPCMessage | undefined {
  const head = beginning.toString('utf8', 0, HEAD);
  // A request of the server has an id of its own.
  const isAnswer = !/^\s*\{[^{[]*"method"\s*:/.test(head);
  const id = isAnswer ? idOfPart(head, ending.toString('utf8')) : undefined;
  return id === undefined ? undefined : oversizedReply(id);
}

/** The error that a request gets instead of an answer that is too long. */
export function oversizedReply(id: RequestId): JSONRPCMessage {
  const limit = { limit: MAX_MESSAGE, unit: 'bytes of one message' };
  return errorReply(id, LIMIT_REACHED, TOO_LONG, limit) as JSONRPCMessage;
}

const TOO_LONG = `The server's answer is longer than ${MAX_MESSAGE / 1024 / 1024} MB, so it was not read. Ask for less at once.`;

/** Most messages that answer nothing, in a window of so many milliseconds: 2,000 a second for 10 s. */
export const MOST_UNASKED = 20_000;
const WINDOW = 10_000;

/** Most bytes of one line before the server is stopped: beyond the message limit they are only thrown away. */
export const LONGEST_LINE = 256 * 1024 * 1024;

export const FLOOD = `It was stopped because it sent more than ${MOST_UNASKED} messages within ${WINDOW / 1000} s that nobody asked for.`;
export const ENDLESS_LINE = `It was stopped because it sent a line longer than ${LONGEST_LINE / 1024 / 1024} MB.`;

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
    if (now - this.#start > WINDOW) {
      this.#start = now;
      this.#unasked = 0;
    }
    return ++this.#unasked > this.#most;
  }
}
