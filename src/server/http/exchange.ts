import type { ServerResponse } from 'node:http';
import { errorReply, type RequestId } from '../../core/errorReply.ts';
import { clock } from '../../util/clock.ts';
import type { EventStream } from './eventStream.ts';

/** After so many milliseconds without an answer the response begins: clients give up on a server that says nothing. */
const SILENCE = 5_000;

export interface ExchangeOptions {
  response: ServerResponse;
  /** The requests that it answers, by our ids; those of a batch are answered by one array. */
  ids: Set<RequestId>;
  /** The stream for what comes before the answer. Undefined if the client takes only JSON. */
  stream: EventStream | undefined;
  headers: Record<string, string>;
  /** The stream begins without an event, so that a client that loses its connection can come back. */
  isPrimed: boolean;
  /** The HTTP status of an answer. */
  statusOf(answer: string): number;
  /** Restores the ids that the client gave. */
  translate(text: string): string;
}

/** The answer to one POST: as JSON, if nothing comes before it, or as a stream of events. */
export class Exchange {
  readonly ids: Set<RequestId>;
  readonly stream: EventStream | undefined;
  /** Whether the answer is a stream of events. */
  isStreamed = false;
  readonly #options: ExchangeOptions;
  #stopWaiting: (() => void) | undefined;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.ids = options.ids;
    this.stream = options.stream;
  }

  /** There is no answer yet. */
  wait(): void {
    if (this.#isOver || this.isStreamed || !this.stream) return;
    if (this.#options.isPrimed) this.#begin();
    else this.#stopWaiting = clock.after(SILENCE, () => this.#begin(), true);
  }

  /** Sends what belongs to the request. @returns false if its client cannot get it here */
  send(text: string): boolean {
    this.#begin();
    if (!this.stream || !this.isStreamed) return false;
    this.stream.send(this.#options.translate(text));
    return true;
  }

  answer(answer: string): void {
    this.#stopWaiting?.();
    this.#isOver = true;
    const { response, headers, statusOf, translate } = this.#options;
    const text = translate(answer);
    if (this.isStreamed) {
      this.stream?.send(text);
      this.stream?.end();
    } else if (!response.headersSent && !response.destroyed) {
      response.writeHead(statusOf(answer), { 'Content-Type': 'application/json', ...headers }).end(text);
    }
  }

  /** Answers all its requests by an error. */
  fail(code: number, message: string): void {
    const replies = [...this.ids].map((id) => errorReply(id, code, message));
    if (replies.length > 0 && !this.#isOver)
      this.answer(JSON.stringify(replies.length > 1 ? replies : replies[0]));
  }

  /** Nothing is answered: there was no request, or it was cancelled. */
  end(): void {
    this.#stopWaiting?.();
    if (this.#isOver) return;
    this.#isOver = true;
    const { response, headers } = this.#options;
    if (this.isStreamed) this.stream?.end();
    else if (!response.headersSent && !response.destroyed) response.writeHead(202, headers).end();
  }

  #begin(): void {
    const { response, headers, isPrimed } = this.#options;
    if (this.isStreamed || !this.stream || response.destroyed) return;
    this.#stopWaiting?.();
    this.isStreamed = true;
    this.stream.connect(response, headers, undefined, isPrimed);
  }
}
