import type { ServerResponse } from 'node:http';
import { fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import { CANCELLED_METHOD, cancelledBy, type RequestId } from '../../core/jsonRpc.ts';
import type { Outlet, RelatedRequests } from '../../protocol/wire/outbox.ts';
import type { Channel, Wire } from '../../protocol/wire/wire.ts';
import { clock } from '../../util/clock.ts';
import { type EventStream, lastEventOf, Streams } from './eventStream.ts';
import { PostExchange, type PostOptions } from './exchange.ts';
import { HttpRefusal, isCall, isPostedRequest, messageText, SESSION_NOT_FOUND } from './requests.ts';

/** How much is kept of what belongs to no request, in UTF-16 units: a client need not listen to it. */
const MOST_STANDING = 1024 * 1024;

const ENDED = 'The session has ended. Send initialize again.';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** From this version on, a client comes back for an answer of which it has received nothing. */
const PRIMED = '2025-11-25';

/**
 * One MCP session over many HTTP requests. Answers go to the POST that asked, as does what belongs to it; the rest goes to the GET
 * stream. Requests get ids of our own: each POST is answered on its own, so that those of clients may come again.
 */
export class HttpSession implements Channel, Outlet {
  readonly outlet: Outlet = this;
  readonly id: string;
  readonly isShared: boolean;
  isClosed = false;
  /** When a request came last, or the last call ended. */
  usedAt = clock.now();
  /** Resolves when it takes messages. */
  ready: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  /** By our ids. */
  readonly #exchanges = new Map<RequestId, PostExchange>();
  /** Our ids by those of the client. */
  readonly #ours = new Map<RequestId, RequestId>();
  /** JSON answers that the client has not read. */
  readonly #answers = new Set<ServerResponse>();
  readonly #streams = new Streams(() => this.#wire?.outbox.drained());
  readonly #standing: EventStream;
  /** Gets what is answered at once: errors of messages that were not understood, and whose ids say nothing. */
  #current: PostExchange | undefined;
  #wire: Wire | undefined;
  /** The MCP version that the first answer agreed on; empty in a shared session. */
  #version = '';
  #backlog: Promise<void> | undefined;
  #count = 0;

  constructor(id: string, isShared: boolean) {
    this.id = id;
    this.isShared = isShared;
    this.#standing = this.#streams.open(MOST_STANDING);
  }

  get isBusy(): boolean {
    return this.#exchanges.size > 0 || this.#standing.isConnected;
  }

  readInto(wire: Wire): void {
    this.#wire = wire;
  }

  onClose(listener: () => void): void {
    this.#listeners.add(listener);
  }

  disconnect(): void {
    this.end();
  }

  end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.fail(SESSION_NOT_FOUND, ENDED);
    this.#exchanges.clear();
    this.#streams.end();
    for (const listener of this.#listeners) listener();
    this.#wire?.close();
  }

  /** Takes what a client has posted, once it has read enough of what it was sent. @throws HttpRefusal */
  async post(message: unknown, takesEvents: boolean, options: PostOptions): Promise<void> {
    await this.#backlog;
    if (this.isClosed) throw new HttpRefusal(404, ENDED, { code: SESSION_NOT_FOUND });
    const given = new Map<RequestId, RequestId>();
    const sent = this.#inOurIds(message, given);
    const text = messageText(sent);
    const ids = [...given.keys()];
    const stream = takesEvents && ids.length > 0 ? this.#streams.open() : undefined;
    const isPrimed = this.#version >= PRIMED && [message].flat().some(isCall);
    const exchange = new PostExchange(options, given, stream, isPrimed);
    for (const id of ids) this.#exchanges.set(id, exchange);
    this.#current = exchange;
    try {
      this.#backlog = this.#wire?.take(text);
    } finally {
      this.#current = undefined;
    }
    for (const one of [sent].flat()) this.#forget(cancelledBy(one));
    if (ids.length === 0) exchange.end();
    else exchange.wait();
    this.#watch(options.response, options.isModern ? ids : []);
  }

  /** @returns false if the stream of the last event is not known any more */
  listen(response: ServerResponse, headers: Record<string, string>, lastEventId?: string): boolean {
    const place = lastEventId === undefined ? undefined : lastEventOf(lastEventId);
    const stream = lastEventId === undefined ? this.#standing : this.#streams.get(place?.stream ?? '');
    stream?.connect(response, headers, place?.after);
    return stream !== undefined;
  }

  #watch(response: ServerResponse, cancelled: readonly RequestId[]): void {
    this.#answers.add(response);
    const closed = () => {
      this.#answers.delete(response);
      for (const id of cancelled) this.#cancel(id);
      this.#wire?.outbox.drained();
    };
    if (response.closed) closed();
    else response.once('close', closed);
  }

  unread(): number {
    return [...this.#answers].reduce((sum, { writableLength }) => sum + writableLength, this.#streams.unread);
  }

  send(text: string, related?: RelatedRequests): void {
    if (!related) this.#notify(text);
    else if ('answers' in related) this.#answer(text, related.answers);
    else if (!this.#exchanges.get(related.belongsTo)?.send(text)) this.#standing.send(text);
  }

  #answer(text: string, answered: readonly (RequestId | null)[]): void {
    const known = answered.find((id) => id !== null && this.#exchanges.has(id));
    const exchange = known ? this.#exchanges.get(known) : this.#current;
    if (!exchange) return;
    const isFirst = !this.isShared && this.#version === '';
    if (isFirst) this.#version = /"protocolVersion":"([\d-]+)"/.exec(text)?.[1] ?? '';
    this.#remove(exchange.given);
    exchange.answer(text);
    if (exchange.isStreamed && exchange.stream) this.#streams.retire(exchange.stream);
    else this.#streams.drop(exchange.stream);
    if (isFirst && this.#version === '') this.end(); // it was refused
  }

  /** A notification of a subscription belongs to the request that asked for it. */
  #notify(text: string): void {
    const { params } = this.isShared ? fieldsOf(parsedJson(text)) : {};
    const id = fieldsOf(fieldsOf(params)._meta)[SUBSCRIPTION] as RequestId | undefined;
    if (id !== undefined) this.#exchanges.get(id)?.send(text);
    else if (!this.isShared) this.#standing.send(text);
  }

  #cancel(requestId: RequestId): void {
    if (!this.#exchanges.has(requestId)) return;
    const params = { requestId, reason: 'The client has closed the connection.' };
    void this.#wire?.take(JSON.stringify({ jsonrpc: '2.0', method: CANCELLED_METHOD, params }));
    this.#forget(requestId);
  }

  #remove(ids: Pick<ReadonlyMap<RequestId, unknown>, 'has' | 'keys'>): void {
    for (const id of ids.keys()) this.#exchanges.delete(id);
    for (const [theirs, ours] of this.#ours) if (ids.has(ours)) this.#ours.delete(theirs);
  }

  /** A cancelled request gets no answer. */
  #forget(id: RequestId | undefined): void {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (id === undefined || !exchange) return;
    this.#remove(new Set([id]));
    exchange.given.delete(id);
    if (exchange.given.size > 0) return;
    exchange.end();
    this.#streams.drop(exchange.stream);
  }

  /** @param given gets the ids of the client by ours */
  #inOurIds(message: unknown, given: Map<RequestId, RequestId>): unknown {
    if (Array.isArray(message)) return message.map((one) => this.#inOurIds(one, given));
    const cancelled = this.isShared ? undefined : cancelledBy(message);
    if (cancelled !== undefined && isObject(message)) {
      const requestId = this.#ours.get(cancelled);
      return { ...message, params: { ...fieldsOf(message.params), requestId } };
    }
    if (!isPostedRequest(message)) return message;
    const id = `${this.#standing.id}:${++this.#count}`;
    given.set(id, message.id);
    if (!this.isShared && message.method !== 'initialize') this.#ours.set(message.id, id); // that cannot be cancelled
    return { ...message, id };
  }
}
