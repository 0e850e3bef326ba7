import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { clock, every } from '../../util/clock.ts';
import type { ResolvedRemote } from '../config/resolve/resolveRemote.ts';
import type { Authorization } from './authorization.ts';
import { EVENTS, eventsOf, hasType } from './eventStream.ts';
import { RemoteTransport } from './remoteTransport.ts';

/** `fetch` ends a stream on which nothing came for 5 minutes, so something is asked for more often, in milliseconds. */
const PING = 60_000;
const PING_ID = 'keep-alive';

/** MCP over HTTP with SSE (2024-11-05): one stream with all messages of the server, and an address for ours. */
export class SseTransport extends RemoteTransport {
  readonly #timeout: number;
  #endPings = () => {};
  readonly #endpoint = Promise.withResolvers<URL>();

  /** @param timeout milliseconds until the stream must have named the address for messages. */
  constructor(server: ResolvedRemote, authorization: Authorization | undefined, timeout: number) {
    super(server, authorization);
    this.#timeout = timeout;
    this.#endpoint.promise.catch(() => {});
  }

  /** @throws HttpStatusError; UserError; SignInRequiredError; CancelledError */
  async start(): Promise<void> {
    const cancel = clock.after(this.#timeout, () => this.end('It did not open its event stream in time.'));
    try {
      const stream = await this.request({
        method: 'GET',
        headers: { accept: EVENTS },
        signal: this.closed,
      });
      void this.#read(stream);
      await this.#endpoint.promise;
      const ping = { jsonrpc: '2.0', id: PING_ID, method: 'ping' } as const;
      if (!this.closed.aborted) this.#endPings = every(PING, () => void this.send(ping).catch(() => {}));
    } finally {
      cancel();
    }
  }

  /** Resolves once the server has the message. @throws HttpStatusError; UserError; SignInRequiredError; ConnectionClosedError */
  async send(message: JSONRPCMessage): Promise<void> {
    this.sending();
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(message), signal: this.closed } as const;
    const response = await this.request(request, await this.#endpoint.promise);
    await response.body?.cancel();
  }

  protected override pass(message: Fields): void {
    if (message.id !== PING_ID) super.pass(message);
  }

  protected override end(reason: string): void {
    this.#endPings();
    super.end(reason);
    this.#endpoint.reject(new UserError(`The server did not connect. ${this.endReason}`));
  }

  async #read(stream: Response): Promise<void> {
    try {
      if (!hasType(stream, EVENTS)) return this.end('It does not offer an event stream.');
      for await (const { event = 'message', data } of eventsOf(stream)) {
        if (event === 'endpoint') this.#setEndpoint(data);
        else if (event === 'message') this.take(data);
      }
    } catch {
      // The end of the stream is the same for the user.
    }
    this.end('It closed its event stream.');
  }

  #setEndpoint(address: string): void {
    const endpoint = URL.parse(address, this.url.href);
    if (endpoint?.origin === this.url.origin) this.#endpoint.resolve(endpoint);
    else this.end('It wants messages sent to another origin, which would get your headers.');
  }
}
