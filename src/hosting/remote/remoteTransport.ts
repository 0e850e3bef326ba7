import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Fields } from '../../core/json.ts';
import type { ResolvedRemote } from '../config/resolve/resolveRemote.ts';
import { ConnectionClosedError } from '../connection/client.ts';
import { FLOOD, FloodGauge, messagesOf } from '../connection/incoming.ts';
import type { Authorization } from './authorization.ts';
import { challengeOf } from './discovery.ts';
import { fetchWithinOrigin, HttpStatusError, readUpTo } from './http.ts';

/** Most bytes read of the response to a request that failed: a JSON-RPC error, or a page that nobody reads. */
const LONGEST_ERROR = 1024 * 1024;

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

  protected readonly url: URL;
  readonly #headers: Record<string, string>;
  readonly #authorization: Authorization | undefined;
  readonly #closed = new AbortController();
  readonly #flood = new FloodGauge();
  #endReason: string | undefined;

  /** @param authorization not used if the definition has an Authorization header */
  constructor({ url, headers }: ResolvedRemote, authorization?: Authorization) {
    this.url = url;
    this.#headers = headers;
    this.#authorization = new Headers(headers).has('authorization') ? undefined : authorization;
  }

  abstract start(): Promise<void>;

  /** Sends a message; see the transports for what is thrown. */
  abstract send(message: JSONRPCMessage): Promise<void>;

  /** Why the connection ended, as a sentence that starts with "It"; undefined before. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  async close(): Promise<void> {
    this.end('It was disconnected.');
  }

  /** Aborted at the end of the connection. */
  protected get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Ends all requests and streams. */
  protected end(reason: string): void {
    if (this.closed.aborted) return;
    this.#endReason = reason;
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
      if (!challenge) return await successOf(response, url);
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
    if (this.#flood.received()) this.end(FLOOD);
    else this.onmessage?.(message as JSONRPCMessage);
  }
}

async function successOf(response: Response, url: URL): Promise<Response> {
  if (response.ok) return response;
  const body = await readUpTo(LONGEST_ERROR, response).catch(() => ''); // the status says enough
  throw new HttpStatusError(response, url, body);
}
