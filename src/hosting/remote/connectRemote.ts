import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { CancelledError, UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { clock, every } from '../../util/clock.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import { START_TIMEOUT_MS } from '../connection/client.ts';
import { SignInRequiredError } from '../connection/negotiate.ts';
import {
  type ConnectionOptions,
  type HostedConnection,
  openConnection,
} from '../connection/openConnection.ts';
import { hiddenError } from '../hide.ts';
import type { Authorization } from './authorization.ts';
import { HttpStatusError } from './http.ts';
import { DISCONNECTED_REASON, EVENT_STREAM, eventsOf, hasType, RemoteTransport } from './remoteTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

export interface RemoteOptions extends ConnectionOptions {
  /** Not used if the definition has an Authorization header. */
  authorization?: Authorization | undefined;
  /** The server's tools as `tools/list` gave them last: the modern era repeats marked parameters of a call in headers. */
  tools?: readonly unknown[];
}

/**
 * Connects to a server over Streamable HTTP, or over HTTP with SSE if it offers only that (or `type` is `sse`).
 *
 * @throws SignInRequiredError; UserError without secrets; CancelledError. Nothing is left open
 */
export async function connectRemote(
  server: ResolvedRemote,
  options: RemoteOptions,
): Promise<HostedConnection> {
  const { authorization, startTimeout = START_TIMEOUT_MS, tools, knownEra = 'modern' } = options;
  const overSse = () => connectOver(new SseTransport(server, authorization, startTimeout), options, 'legacy');
  if (server.type === 'sse') return await overSse();
  const streamable = new StreamableTransport(server, authorization, tools);
  try {
    // A server over HTTP refuses a method that it does not know, so the answer to `server/discover` is waited for.
    return await connectOver(streamable, options, knownEra);
  } catch (error) {
    if (!(error instanceof HttpStatusError) || ![400, 404, 405].includes(error.status)) throw error;
    return await overSse().catch((second: unknown) => {
      // Else the first error says more: most servers speak Streamable HTTP.
      throw second instanceof CancelledError || second instanceof SignInRequiredError ? second : error;
    });
  }
}

async function connectOver(
  transport: RemoteTransport,
  options: RemoteOptions,
  knownEra: RemoteOptions['knownEra'],
): Promise<HostedConnection> {
  const { signal, hide = (text) => text } = options;
  try {
    return await openConnection(transport, { ...options, knownEra });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (transport.endReason !== DISCONNECTED_REASON) throw new UserError(`${transport.endReason}`);
    // A refusal of the server in its own words.
    throw hiddenError(error instanceof UserError ? error : new UserError((error as Error).message), hide);
  }
}

/** `fetch` ends a stream on which nothing came for 5 minutes, so something is asked for more often, in milliseconds. */
const PING_MS = 60_000;
const PING_ID = 'keep-alive';

/** MCP over HTTP with SSE (2024-11-05): one stream with all messages of the server, and an address for ours. */
class SseTransport extends RemoteTransport {
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
      const headers = { accept: EVENT_STREAM };
      const stream = await this.request({ method: 'GET', headers, signal: this.closed });
      void this.#read(stream);
      await this.#endpoint.promise;
      const ping = { jsonrpc: '2.0', id: PING_ID, method: 'ping' } as const;
      if (!this.closed.aborted) this.#endPings = every(PING_MS, () => void this.send(ping).catch(() => {}));
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
      if (!hasType(stream, EVENT_STREAM)) return this.end('It does not offer an event stream.');
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
