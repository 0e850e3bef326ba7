import type { ServerResponse } from 'node:http';
import { errorReply, INVALID_REQUEST, type RequestId } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import type { EventStream } from './eventStream.ts';
import { HEADER_MISMATCH } from './requests.ts';

/** After so many milliseconds without an answer the response begins: clients give up on a server that says nothing. */
const SILENCE = 5_000;

export interface PostOptions {
  response: ServerResponse;
  headers: Record<string, string>;
  /** Since 2026-07-28 errors have an HTTP status, and a client that goes away before the answer no longer wants it; before, it may come back. */
  isModern: boolean;
}

/** The answer to one POST: as JSON, if nothing comes before it, or as a stream of events. */
export class PostExchange {
  /** The requests that it answers: the ids of the client by ours. Those of a batch are answered by one array. */
  readonly given: Map<RequestId, RequestId>;
  /** For what comes before the answer. Undefined if the client takes only JSON. */
  readonly stream: EventStream | undefined;
  readonly #options: PostOptions;
  readonly #isPrimed: boolean;
  #isStreamed = false;
  #isOver = false;
  #stopWaiting: (() => void) | undefined;

  /** @param isPrimed the stream begins without an event, so that a client that loses its connection can come back */
  constructor(
    options: PostOptions,
    given: Map<RequestId, RequestId>,
    stream: EventStream | undefined,
    isPrimed: boolean,
  ) {
    this.#options = options;
    this.given = given;
    this.stream = stream;
    this.#isPrimed = isPrimed;
  }

  get isStreamed(): boolean {
    return this.#isStreamed;
  }

  wait(): void {
    if (this.#isOver || this.#isStreamed || !this.stream) return;
    if (this.#isPrimed) this.#begin();
    else this.#stopWaiting = clock.after(SILENCE, () => this.#begin(), true);
  }

  /** Sends what belongs to the request. @returns false if its client cannot get it here */
  send(text: string): boolean {
    this.#begin();
    if (!this.stream || !this.#isStreamed) return false;
    this.stream.send(this.#translated(text));
    return true;
  }

  answer(text: string): void {
    const { response, headers, isModern } = this.#options;
    this.#stopWaiting?.();
    this.#isOver = true;
    if (this.#isStreamed) {
      this.stream?.send(this.#translated(text));
      this.stream?.end();
    } else if (!response.headersSent && !response.destroyed) {
      const status = isModern ? statusOf(text) : 200;
      const all = { 'Content-Type': 'application/json', ...headers };
      response.writeHead(status, all).end(this.#translated(text));
    }
  }

  fail(code: number, message: string): void {
    const replies = [...this.given.keys()].map((id) => errorReply(id, code, message));
    if (replies.length > 0 && !this.#isOver)
      this.answer(JSON.stringify(replies.length > 1 ? replies : replies[0]));
  }

  /** Nothing is answered: there was no request, or it was cancelled. */
  end(): void {
    const { response, headers } = this.#options;
    this.#stopWaiting?.();
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isStreamed) this.stream?.end();
    else if (!response.headersSent && !response.destroyed) response.writeHead(202, headers).end();
  }

  #begin(): void {
    const { response, headers } = this.#options;
    if (this.#isStreamed || !this.stream || response.destroyed) return;
    this.#stopWaiting?.();
    this.#isStreamed = true;
    this.stream.connect(response, headers, undefined, this.#isPrimed);
  }

  /** A text with the ids that the client gave. Ours are random: they are nowhere else in it. */
  #translated(text: string): string {
    let changed = text;
    for (const [ours, theirs] of this.given)
      changed = changed.replaceAll(`"${ours}"`, () => JSON.stringify(theirs));
    return changed;
  }
}

/** Answers of 2026-07-28 that are HTTP errors as well. Other errors are part of a successful exchange. */
const STATUS_BY_CODE: Partial<Record<string, number>> = {
  '-32700': 400,
  [INVALID_REQUEST]: 400,
  '-32601': 404,
  [HEADER_MISMATCH]: 400,
  '-32021': 400,
  '-32022': 400,
};

function statusOf(answer: string): number {
  const [, code = ''] = /^\{"jsonrpc":"2\.0","id":[^{]*"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return STATUS_BY_CODE[code] ?? 200;
}
