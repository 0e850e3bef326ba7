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
import { CANCELLED_BY_USER } from '../../core/cancelled.ts';
import { idOfPart, MAX_LINE, noBatches, parseLine, takesBatches, tooLongReply } from '../../core/jsonRpc.ts';
import { MODERN_VERSIONS, readMessage, requireServed } from './incoming.ts';
import { Outbox, type Outlet } from './outbox.ts';
import {
  AgentRequests,
  Batch,
  cancelledReply,
  errorReplyOf,
  replyInEra,
  type SentReply,
  ServerRequests,
  type TakenRequest,
  tooLargeReply,
  type WireReply,
} from './requests.ts';

/** What carries the messages of one connection with an agent. */
export interface Channel {
  readonly outlet: Outlet;
  readonly isClosed: boolean;
  /** Passes what the agent sends to the wire, until either ends. Called once. */
  readInto(wire: Wire): void;
  /** Calls the listener once, when nothing is sent or taken any more. */
  onClose(listener: () => void): void;
  /** Tells the agent that the user has disconnected it, and closes. */
  disconnect(): void;
}

/** Sizes are in UTF-16 units on the wire. The messages belong to the wire and must not be changed. */
export interface RequestHooks {
  /**
   * Returns the request to serve instead, if it takes time to find out.
   *
   * @throws ProtocolError if the request is refused
   */
  onRequest(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined;
  /** A request has ended. @param reply undefined if the agent cancelled it */
  onEnd(id: RequestId, reply: WireReply | undefined, size: number, isCancelled: boolean): void;
  /** A request is cancelled that is answered already, or never was there. */
  onLateCancel?(id: RequestId, reason: unknown): void;
}

/**
 * One connection with an agent, without a socket: for `serveStdio(factory, { transport })`. The text of one message goes in by
 * `take`; the texts of answers, requests and notifications come out by `Outlet.send`. In between: the checks of JSON-RPC, older
 * spellings, limits, batches, the shape of errors. What carries it (a socket, a WebSocket, HTTP) only splits the stream into
 * messages.
 */
export class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the session, which knows the era of the server that the SDK asked for. */
  era: ProtocolEra | undefined;
  readonly outbox: Outbox;
  readonly #hooks: RequestHooks;
  readonly #open = new AgentRequests();
  readonly #ownRequests = new ServerRequests();
  #version: string | undefined;

  constructor(outlet: Outlet, hooks: RequestHooks) {
    this.outbox = new Outbox(outlet);
    this.#hooks = hooks;
  }

  /** Nothing to start: messages come through {@link take}. */
  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /**
   * Takes the text of one message or batch from the agent.
   *
   * @returns a promise to await before the next one; undefined if that can be given at once
   */
  take(text: string): Promise<void> | undefined {
    if (text.length > MAX_LINE) this.refuseTooLong(text.slice(0, 512), text.slice(-512));
    else {
      const parsed = parseLine(text);
      if ('reply' in parsed) this.#answer(parsed.reply);
      else if (Array.isArray(parsed.value)) this.#takeBatch(parsed.value, text.length);
      else this.#takeMessage(parsed.value, text.length);
    }
    return this.outbox.backlog();
  }

  /** Refuses a message past {@link MAX_LINE} of which only the start and the end were kept. */
  refuseTooLong(beginning: string, ending: string): void {
    this.#answer(tooLongReply(idOfPart(beginning, ending)));
  }

  /** For the SDK. */
  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if ('method' in message || message.id === undefined) {
      const related = relatedRequestId === undefined ? undefined : { belongsTo: relatedRequestId };
      this.outbox.send(this.#ownRequests.outgoing(message), related);
      return;
    }
    const request = this.#open.get(message.id);
    if (!request) return; // cancelled meanwhile: nothing is sent for it
    this.#finish(message.id, request, replyInEra(message, request.method, this.era));
  }

  /** Ends the connection: nothing more is sent, and the agent's running requests are aborted. */
  async close(): Promise<void> {
    if (this.outbox.isClosed) return;
    this.outbox.close();
    this.#open.clear();
    this.onclose?.();
  }

  /** Cancels a request for the user: the agent gets an answer, and the handler is aborted. */
  cancel(id: RequestId): void {
    const request = this.#open.get(id);
    if (!request) return;
    this.#finish(id, request, cancelledReply(id, request.method, this.era), true);
    const params = { requestId: id, reason: CANCELLED_BY_USER };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  #takeBatch(messages: readonly unknown[], size: number): void {
    if (this.era === 'modern' || !takesBatches(this.#version))
      return void this.#answer(noBatches(this.#version ?? MODERN_VERSIONS[0]));
    const batch = new Batch(messages.length, (replies) =>
      this.outbox.send(replies, { answers: replies.map(({ id }) => id ?? null) }),
    );
    for (const message of messages) this.#takeMessage(message, size, batch);
  }

  /** @param size of its text, or of that of its batch */
  #takeMessage(value: unknown, size: number, batch?: Batch): void {
    const { message, reply } = readMessage(value);
    if (message && 'method' in message && 'id' in message) this.#takeRequest(message, size, batch);
    else {
      const handedOn =
        message && ('method' in message ? this.#wanted(message) : this.#ownRequests.incoming(message));
      if (handedOn) this.onmessage?.(handedOn);
      this.#answer(reply, batch);
    }
  }

  #takeRequest(message: JSONRPCRequest, size: number, batch: Batch | undefined): void {
    const { id, method } = message;
    const request = { method, size, batch };
    let other: Promise<JSONRPCRequest> | undefined;
    try {
      this.#open.begin(id, request);
      if (batch || this.era === 'modern') requireServed(message, this.era, batch !== undefined);
      other = this.#hooks.onRequest(message, size);
    } catch (error) {
      this.#open.end(id, request);
      if (!(error instanceof ProtocolError)) throw error;
      return void this.#answer(errorReplyOf(id, error), batch);
    }
    if (other) void other.then((found) => this.#open.get(id) === request && this.onmessage?.(found));
    else this.onmessage?.(message);
  }

  /** The notification; undefined if the SDK need not see it, such as the cancellation of a request that is not open. */
  #wanted(message: JSONRPCNotification): JSONRPCNotification | undefined {
    if (message.method === 'notifications/log') return undefined; // some clients send it, and it can be large
    if (message.method !== 'notifications/cancelled') return message;
    const id = message.params?.requestId as RequestId;
    const request = this.#open.get(id);
    if (!request) this.#hooks.onLateCancel?.(id, message.params?.reason);
    if (!request || request.method === 'initialize') return undefined;
    this.#finish(id, request, undefined, true); // gets no answer, and its batch does not wait for it
    return message;
  }

  #finish(id: RequestId, request: TakenRequest, reply: WireReply | undefined, isCancelled = false): void {
    this.#open.end(id, request);
    let ended: SentReply;
    try {
      ended = this.#answer(reply, request.batch);
    } catch (error) {
      this.onerror?.(error as Error);
      ended = this.#answer(tooLargeReply(id), request.batch); // too long for a JavaScript string
    }
    this.outbox.free(id);
    this.#hooks.onEnd(id, ended.sent, ended.size, isCancelled);
  }

  /** Sends the reply, if there is one, or adds it to its batch. */
  #answer(reply: WireReply | undefined, batch?: Batch): SentReply {
    if (batch) return batch.settle(reply);
    return { sent: reply, size: reply ? this.outbox.send(reply, { answers: [reply.id ?? null] }) : 0 };
  }
}
