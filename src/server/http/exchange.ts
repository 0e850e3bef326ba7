import type { ServerResponse } from 'node:http';
import type { RequestId } from '../../core/errorReply.ts';
import { clock } from '../../util/clock.ts';
import type { EventStream } from './eventStream.ts';

/** After so many milliseconds without an answer the response begins: clients give up on a server that says nothing. */
const SILENCE = 5_000;

export interface ExchangeOptions {
  response: ServerResponse;
  /** The requests that it answers; those of a batch are answered by one array. */
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
  readonly #options: ExchangeOptions;
  #stopWaiting: (() => void) | undefined;
  /** Whether the answer is a stream of events. */
  isStreamed = false;
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
    else this.#stopWaiting = clock.after(SILENCE, () => this.#begin());
  }

  /** Sends what belongs to the request; a client that takes only JSON does not get it. */
  send(text: string): void {
    this.#begin();
    this.stream?.send(this.#options.translate(text));
  }

  answer(answer: string): void {
    this.#stopWaiting?.();
    this.#isOver = true;
    const { response, headers, statusOf, translate } = this.#options;
    const text = translate(answer);
    if (this.isStreamed) {
      this.stream?.send(text);
      this.stream?.end();
    } else if (!response.headersSent) {
      response.writeHead(statusOf(answer), { 'Content-Type': 'application/json', ...headers }).end(text);
    }
  }

  /** Nothing is answered, because the request was cancelled or the session has ended. */
  end(): void {
    this.#stopWaiting?.();
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.isStreamed) this.stream?.end();
    else if (!this.#options.response.headersSent) this.#options.response.writeHead(202).end();
  }

  #begin(): void {
    if (this.isStreamed || !this.stream) return;
    this.#stopWaiting?.();
    this.isStreamed = true;
    const { response, headers, isPrimed } = this.#options;
    this.stream.connect(response, headers, undefined, isPrimed);
  }
}
