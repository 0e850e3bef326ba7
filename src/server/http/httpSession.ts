import type { ServerResponse } from 'node:http';
import type { RequestId } from '../../core/errorReply.ts';
import { fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import type { Outlet, Place } from '../../protocol/wire/outbox.ts';
import type { Pipeline } from '../../protocol/wire/pipeline.ts';
import type { Channel } from '../channel.ts';
import { type EventStream, placeOf } from './eventStream.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import { CANCELLED, cancelledBy, isCall, isRequest, textOf, withIds } from './messages.ts';
import { Refusal, SESSION_NOT_FOUND } from './refusal.ts';
import { Streams } from './streams.ts';

/** How much is kept of what belongs to no request, in UTF-16 units: a client need not listen to it. */
const MOST_STANDING = 1024 * 1024;

const ENDED = 'The session has ended. Send initialize again.';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** From this version on, a client comes back for an answer of which it has received nothing. */
const PRIMED = '2025-11-25';

export interface Post extends Pick<ExchangeOptions, 'response' | 'headers' | 'statusOf'> {
  /** One message, or a batch. */
  message: unknown;
  takesEvents: boolean;
  /** A client that goes away before the answer no longer wants it (MCP 2026-07-28); otherwise it may come back. */
  isCancelledByClose: boolean;
}

/**
 * One MCP session over many HTTP requests. Answers go to the POST that asked, as does what belongs to it; the rest goes to the GET
 * stream. Requests get ids of our own: each POST is answered on its own, so that those of clients may come again.
 */
export class HttpSession implements Channel {
  readonly outlet: Outlet = {
    send: (text, place) => this.#send(text, place),
    unread: () => this.#unread(),
    end: () => this.close(),
  };
  isClosed = false;
  /** Whether several clients share it. */
  readonly #isShared: boolean;
  readonly #listeners = new Set<() => void>();
  /** By our ids. */
  readonly #exchanges = new Map<RequestId, Exchange>();
  /** Our ids by those of the client. */
  readonly #ours = new Map<RequestId, RequestId>();
  /** JSON answers that the client has not read. */
  readonly #answers = new Set<ServerResponse>();
  readonly #streams = new Streams(() => this.#pipeline?.drained());
  readonly #standing: EventStream;
  /** Gets what is answered at once: errors of messages that were not understood, and whose ids say nothing. */
  #current: Exchange | undefined;
  #pipeline: Pipeline | undefined;
  /** Of MCP, as agreed in the first answer; empty in a shared session. */
  #version = '';
  #backlog: Promise<void> | undefined;
  #count = 0;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
    this.#standing = this.#streams.open(MOST_STANDING);
  }

  get isBusy(): boolean {
    return this.#exchanges.size > 0 || this.#standing.isConnected;
  }

  readInto(pipeline: Pipeline): void {
    this.#pipeline = pipeline;
  }

  onClose(listener: () => void): void {
    this.#listeners.add(listener);
  }

  disconnect(): void {
    this.close();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.fail(SESSION_NOT_FOUND, ENDED);
    this.#exchanges.clear();
    this.#streams.end();
    for (const listener of this.#listeners) listener();
    this.#pipeline?.close();
  }

  /** Takes what a client has posted, once it has read enough of what it was sent. @throws Refusal */
  async post({ message, takesEvents, isCancelledByClose, ...post }: Post): Promise<void> {
    await this.#backlog;
    if (this.isClosed) throw new Refusal(404, ENDED, { code: SESSION_NOT_FOUND });
    const given = new Map<string, RequestId>();
    const sent = this.#inOurIds(message, given);
    const text = textOf(sent);
    const ids = new Set<RequestId>(given.keys());
    const stream = takesEvents && ids.size > 0 ? this.#streams.open() : undefined;
    const isPrimed = this.#version >= PRIMED && [message].flat().some(isCall);
    const exchange = new Exchange({
      ...{ ...post, ids, stream, isPrimed },
      translate: (answer) => withIds(answer, given),
    });
    for (const id of ids) this.#exchanges.set(id, exchange);
    this.#current = exchange;
    try {
      this.#backlog = this.#pipeline?.take(text);
    } finally {
      this.#current = undefined;
    }
    for (const one of [sent].flat()) this.#forget(cancelledBy(one));
    if (ids.size === 0) exchange.end();
    else exchange.wait();
    this.#watch(post.response, isCancelledByClose ? ids : new Set());
  }

  /** @returns false if the stream of the last event is not known any more */
  listen(response: ServerResponse, headers: Record<string, string>, lastEventId?: string): boolean {
    const place = lastEventId === undefined ? undefined : placeOf(lastEventId);
    const stream = lastEventId === undefined ? this.#standing : this.#streams.get(place?.stream ?? '');
    stream?.connect(response, headers, place?.after);
    return stream !== undefined;
  }

  #watch(response: ServerResponse, cancelled: ReadonlySet<RequestId>): void {
    this.#answers.add(response);
    const closed = () => {
      this.#answers.delete(response);
      for (const id of cancelled) this.#cancel(id);
      this.#pipeline?.drained();
    };
    if (response.closed) closed();
    else response.once('close', closed);
  }

  #unread(): number {
    return [...this.#answers].reduce((sum, { writableLength }) => sum + writableLength, this.#streams.unread);
  }

  #send(text: string, place?: Place): void {
    if (!place) this.#tell(text);
    else if ('answers' in place) this.#answer(text, place.answers);
    else if (!this.#exchanges.get(place.belongsTo)?.send(text)) this.#standing.send(text);
  }

  #answer(text: string, answered: readonly (RequestId | null)[]): void {
    const known = answered.find((id) => id !== null && this.#exchanges.has(id));
    const exchange = known ? this.#exchanges.get(known) : this.#current;
    if (!exchange) return;
    const isFirst = !this.#isShared && this.#version === '';
    if (isFirst) this.#version = /"protocolVersion":"([\d-]+)"/.exec(text)?.[1] ?? '';
    this.#remove(exchange.ids);
    exchange.answer(text);
    if (exchange.isStreamed && exchange.stream) this.#streams.retire(exchange.stream);
    else this.#streams.drop(exchange.stream);
    if (isFirst && this.#version === '') this.close(); // it was refused
  }

  /** A notification of a subscription belongs to the request that asked for it. */
  #tell(text: string): void {
    const { params } = this.#isShared ? fieldsOf(parsedJson(text)) : {};
    const id = fieldsOf(fieldsOf(params)._meta)[SUBSCRIPTION] as RequestId | undefined;
    if (id !== undefined) this.#exchanges.get(id)?.send(text);
    else if (!this.#isShared) this.#standing.send(text);
  }

  #cancel(requestId: RequestId): void {
    if (!this.#exchanges.has(requestId)) return;
    const params = { requestId, reason: 'The client has closed the connection.' };
    void this.#pipeline?.take(JSON.stringify({ jsonrpc: '2.0', method: CANCELLED, params }));
    this.#forget(requestId);
  }

  #remove(ids: ReadonlySet<RequestId>): void {
    for (const id of ids) this.#exchanges.delete(id);
    for (const [theirs, ours] of this.#ours) if (ids.has(ours)) this.#ours.delete(theirs);
  }

  /** A cancelled request gets no answer. */
  #forget(id: RequestId | undefined): void {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (id === undefined || !exchange) return;
    this.#remove(new Set([id]));
    exchange.ids.delete(id);
    if (exchange.ids.size > 0) return;
    exchange.end();
    this.#streams.drop(exchange.stream);
  }

  /** @param given gets the ids of the client by ours */
  #inOurIds(message: unknown, given: Map<string, RequestId>): unknown {
    if (Array.isArray(message)) return message.map((one) => this.#inOurIds(one, given));
    const cancelled = this.#isShared ? undefined : cancelledBy(message);
    if (cancelled !== undefined && isObject(message)) {
      const requestId = this.#ours.get(cancelled);
      return { ...message, params: { ...fieldsOf(message.params), requestId } };
    }
    if (!isRequest(message)) return message;
    const id = `${this.#standing.id}:${++this.#count}`;
    given.set(id, message.id);
    if (!this.#isShared && message.method !== 'initialize') this.#ours.set(message.id, id); // that cannot be cancelled
    return { ...message, id };
  }
}
