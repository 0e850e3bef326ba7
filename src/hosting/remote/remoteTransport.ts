import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { delay } from '../../util/clock.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import { ConnectionClosedError } from '../connection/client.ts';
import { FLOOD_REASON, FloodGauge, MESSAGE_BYTES, messagesOf } from '../connection/incoming.ts';
import type { Authorization } from './authorization.ts';
import { challengeOf } from './discovery.ts';
import { fetchWithinOrigin, HttpStatusError, isBroken, readUpTo, TooLongError } from './http.ts';

/** Most bytes read of the response to a request that failed: a JSON-RPC error, or a page that nobody reads. */
const ERROR_BYTES = 1024 * 1024;

/** The reason of an end that we made. */
export const DISCONNECTED_REASON = 'It was disconnected.';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/**
 * What the transports over HTTP have in common: requests with the headers of the definition and the access token, and the end of
 * the connection. A server that floods is disconnected.
 */
export abstract class RemoteTransport implements Transport {
  onmessage?: Transport['onmessage'];
  /** Called once, after the last message. */
  onclose?: () => void;
  /** Why the connection ended, as a sentence that starts with "It"; undefined before. */
  endReason: string | undefined;

  protected readonly url: URL;
  readonly #headers: Record<string, string>;
  readonly #authorization: Authorization | undefined;
  readonly #closed = new AbortController();
  readonly #flood = new FloodGauge();

  /** @param authorization not used if the definition has an Authorization header */
  constructor({ url, headers }: ResolvedRemote, authorization?: Authorization) {
    this.url = url;
    this.#headers = headers;
    this.#authorization = new Headers(headers).has('authorization') ? undefined : authorization;
  }

  abstract start(): Promise<void>;

  /** Sends a message; see the transports for what is thrown. */
  abstract send(message: JSONRPCMessage): Promise<void>;

  async close(): Promise<void> {
    this.end(DISCONNECTED_REASON);
  }

  protected get closed(): AbortSignal {
    return this.#closed.signal;
  }

  protected end(reason: string): void {
    if (this.closed.aborted) return;
    this.endReason = reason;
    this.#closed.abort();
    this.onclose?.();
  }

  /**
   * The response, if its status is 2xx. A token that the server does not accept is refreshed once.
   *
   * @throws HttpStatusError; UserError of the network; SignInRequiredError; CancelledError
   */
  protected async request({ headers, ...init }: HttpRequest, url = this.url): Promise<Response> {
    const authorization = this.#authorization;
    for (let isRepeated = false; ; isRepeated = true) {
      const token = await authorization?.token();
      const all = new Headers(this.#headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      if (token) all.set('authorization', `Bearer ${token}`);
      const response = await fetchWithinOrigin(url, { ...init, headers: all });
      const challenge = authorization && challengeOf(response);
      if (!challenge && response.ok) return response;
      if (!challenge) {
        const body = await readUpTo(ERROR_BYTES, response).catch(() => ''); // the status says enough
        throw new HttpStatusError(response, url, body);
      }
      await response.body?.cancel();
      if (isRepeated) authorization.demand(challenge);
      await authorization.replace(token, challenge);
    }
  }

  /** Call it before a message is sent. @throws ConnectionClosedError */
  protected sending(): void {
    if (this.closed.aborted) throw new ConnectionClosedError('The connection ended.');
    this.#flood.sent();
  }

  /** Passes on the messages in a JSON text; anything else is ignored. */
  protected take(text: string): void {
    for (const message of messagesOf(text) ?? []) this.pass(message as Fields);
  }

  protected pass(message: Fields): void {
    if (this.closed.aborted) return;
    if (this.#flood.received()) this.end(FLOOD_REASON);
    else this.onmessage?.(message as JSONRPCMessage);
  }
}

export const EVENT_STREAM = 'text/event-stream';

/** The shortest and the longest pause before a stream is opened again, whatever the server wants, in milliseconds. */
const SHORTEST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface StreamOptions {
  /** The stream to begin with; opened if absent. */
  first?: Response;
  /** Opens the stream, with the events after this one. */
  open(lastEventId: string | undefined): Promise<Response>;
  /** Whether an interrupted stream is opened again. @param attempt 1 for the first one since the last event */
  mayReopen(attempt: number, lastEventId: string | undefined): boolean;
  signal: AbortSignal;
}

/**
 * The data of each message of a stream to its end. It is opened again if it ends too early, after the pause that the server wants,
 * within limits (doubled with each failure in a row).
 *
 * @throws what `open` throws, except if the connection broke; TooLongError; an AbortError
 */
export async function* dataOf({ first, open, mayReopen, signal }: StreamOptions): AsyncGenerator<string> {
  let stream = first;
  let lastId: string | undefined;
  let retry = SHORTEST_RETRY_MS;
  const onRetry = (ms: number) => {
    retry = Math.max(ms, SHORTEST_RETRY_MS);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      stream ??= await open(lastId);
      for await (const { id, event = 'message', data } of eventsOf(stream, onRetry)) {
        attempt = 1;
        lastId = id || lastId;
        if (data && event === 'message') yield data;
      }
    } catch (error) {
      if (signal.aborted || !isBroken(error)) throw error;
    }
    if (!mayReopen(attempt, lastId)) return;
    stream = undefined;
    await delay(Math.min(retry * 2 ** (attempt - 1), LONGEST_RETRY_MS), signal);
  }
}

/**
 * The events of a `text/event-stream`. A turn of the event loop handles one chunk, so a server that floods delays nobody.
 *
 * @param onRetry gets the milliseconds that the server wants clients to wait before they reconnect
 * @throws TooLongError for an event longer than a message may be; what `fetch` throws if the connection breaks
 */
export async function* eventsOf(
  { body }: Response,
  onRetry?: (ms: number) => void,
): AsyncGenerator<EventSourceMessage> {
  let events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MESSAGE_BYTES,
    onEvent: (event) => events.push(event),
    onRetry,
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const complete = events;
    events = [];
    yield* complete;
    if (isTooLong) throw new TooLongError('The event is too long.');
    await nextTurn();
  }
}

export const hasType = ({ headers }: Response, type: string): boolean =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type;

/** The error for a response of another type, whose body is dropped. */
export async function wrongType({ headers, body }: Response): Promise<UserError> {
  await body?.cancel();
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  return new UserError(
    `The server answered with ${type} instead of JSON or an event stream. Check that the URL in its definition is the address of an MCP server.`,
  );
}
