import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type ProtocolEra,
  ProtocolError,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { ErrorReply } from '../../core/errorReply.ts';
import { noBatches, takesBatches } from '../../core/jsonRpc.ts';
import { AnswerBudget } from './answerBudget.ts';
import { type Answers, Batch } from './batch.ts';
import { tooLarge } from './limits.ts';
import { type OpenRequest, OpenRequests } from './openRequests.ts';
import type { Outbox, Place } from './outbox.ts';
import { asInEra, CANCELLED, cancelledReply, errorReplyOf, type Reply } from './replies.ts';
import { ServerRequests } from './serverRequests.ts';
import { MODERN_VERSIONS, requireServed } from './versions.ts';

/** Sizes are in UTF-16 units on the wire. The messages belong to the transport and must not be changed. */
export interface RequestHooks {
  /**
   * Returns the request to serve instead, if it takes time to find out.
   *
   * @throws ProtocolError if the request is refused
   */
  onRequest(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined;
  /** A request has ended. @param reply undefined if the agent cancelled it */
  onEnd(id: RequestId, reply: Reply | undefined, size: number, isCancelled: boolean): void;
}

/** One connection as the SDK sees it: the requests that are open, and their answers. */
export class PipelineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the session, which knows the era of the server that the SDK asked for. */
  era: ProtocolEra | undefined;
  /** Limits the memory of the answers. */
  readonly budget: AnswerBudget;

  readonly #outbox: Outbox;
  readonly #hooks: RequestHooks;
  readonly #open = new OpenRequests();
  readonly #ownRequests = new ServerRequests();
  #version: string | undefined;

  constructor(outbox: Outbox, hooks: RequestHooks) {
    this.#outbox = outbox;
    this.#hooks = hooks;
    this.budget = new AnswerBudget(() => outbox.unread());
  }

  /** Nothing to start: messages come through {@link take}. */
  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message || message.id === undefined)
      return void this.#outbox.send(this.#ownRequests.outgoing(message), requestOf(options));
    const request = this.#open.get(message.id);
    if (!request) return; // cancelled meanwhile: nothing is sent for it
    const reply = asInEra(message, request.method, this.era);
    this.#finish(message.id, request, reply, false);
  }

  async close(): Promise<void> {
    if (this.#outbox.isClosed) return;
    this.#outbox.close();
    this.#open.clear();
    this.onclose?.();
  }

  /** Takes a valid JSON-RPC message of the agent. @param size of its text */
  take(message: JSONRPCMessage, size: number, answers: Answers): void {
    if ('method' in message && 'id' in message) this.#takeRequest(message, size, answers);
    else {
      const handedOn = 'method' in message ? this.#wanted(message) : this.#ownRequests.incoming(message);
      if (handedOn) this.onmessage?.(handedOn);
      answers.settle();
    }
  }

  /** Cancels a request for the user: the agent gets an answer, and the handler is aborted. */
  cancel(id: RequestId): void {
    const request = this.#open.get(id);
    if (!request) return;
    this.#finish(id, request, cancelledReply(id, request.method, this.era), true);
    const params = { requestId: id, reason: CANCELLED };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  /** The reply to a batch if the version has no batches. */
  refusalOfBatch(): ErrorReply | undefined {
    if (this.era !== 'modern' && takesBatches(this.#version)) return undefined;
    return noBatches(this.#version ?? MODERN_VERSIONS[0]);
  }

  #takeRequest(message: JSONRPCRequest, size: number, answers: Answers): void {
    const { id, method } = message;
    const isInBatch = answers instanceof Batch;
    let other: Promise<JSONRPCRequest> | undefined;
    try {
      this.#open.requireRoom(id, size);
      requireServed(message, this.era, isInBatch);
      other = this.#hooks.onRequest(message, size);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return void answers.settle(errorReplyOf(id, error));
    }
    const request = { method, size: isInBatch ? 0 : size, answers };
    this.#open.begin(id, request);
    if (other) void other.then((found) => this.#open.get(id) === request && this.onmessage?.(found));
    else this.onmessage?.(message);
  }

  /** The notification; undefined if the SDK need not see it, such as the cancellation of a request that is not open. */
  #wanted(message: JSONRPCNotification): JSONRPCNotification | undefined {
    if (message.method === 'notifications/log') return undefined; // some clients send it, and it can be large
    if (message.method !== 'notifications/cancelled') return message;
    return this.#forget(message.params?.requestId as RequestId) ? message : undefined;
  }

  /** A cancelled request gets no answer, and its batch does not wait for it. False if no such request is open. */
  #forget(id: RequestId): boolean {
    const request = this.#open.get(id);
    if (!request || request.method === 'initialize') return false;
    this.#finish(id, request, undefined, true);
    return true;
  }

  #finish(id: RequestId, { answers }: OpenRequest, reply: Reply | undefined, isCancelled: boolean): void {
    this.#open.end(id);
    let size: number;
    try {
      size = answers.settle(reply);
    } catch (error) {
      this.onerror?.(error as Error);
      size = answers.settle(errorReplyOf(id, tooLarge())); // too long for a JavaScript string
    }
    this.budget.free(id);
    this.#hooks.onEnd(id, reply, size, isCancelled);
  }
}

const requestOf = ({ relatedRequestId: belongsTo }: TransportSendOptions = {}): Place | undefined =>
  belongsTo === undefined ? undefined : { belongsTo };
