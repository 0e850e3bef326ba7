import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { timeout } from '../../util/clock.ts';
import { ConnectionClosedError } from '../connection/connectionClosed.ts';
import { EVENTS, hasType, wrongType } from './eventStream.ts';
import { Exchange, isRequest } from './exchange.ts';
import { followStream } from './followStream.ts';
import { HeaderParameters } from './headerParameters.ts';
import { HttpStatusError, mayMissSession } from './httpErrors.ts';
import { isModern, modernHeaders } from './modernHeaders.ts';
import type { HttpRequest, RemoteHttp } from './remoteHttp.ts';
import { RemoteTransport } from './remoteTransport.ts';

/** Longest wait for the end of the session, in milliseconds. */
const FAREWELL = 3_000;
/** Longest wait for a sign that the server still has the session, in milliseconds. */
const SIGN_OF_LIFE = 5_000;

/** MCP over Streamable HTTP, both eras. Limits: 64 MB a message; see `flood.ts` for a server that is disconnected. */
export class StreamableTransport extends RemoteTransport {
  readonly #parameters = new HeaderParameters();
  readonly #open = new Map<unknown, Exchange>();
  #session: string | undefined;
  /** The version that a legacy server agreed to. */
  #version: string | undefined;
  #initialized: Promise<void> | undefined;

  /** @param tools as `tools/list` gave them on an earlier connection: calls may need their headers before the next list */
  constructor(http: RemoteHttp, tools?: readonly unknown[]) {
    super(http);
    this.#parameters.learn({ tools });
  }

  async start(): Promise<void> {}

  /**
   * Resolves once a request is answered and its stream has ended; any other message, once the server has it.
   *
   * @throws HttpStatusError; UserError; SignInRequiredError; ConnectionClosedError: a request then gets no answer
   */
  async send(message: JSONRPCMessage): Promise<void> {
    const fields: Fields = message;
    await this.#initialized; // a server may get messages in another order than they were sent
    this.sending();
    if (fields.method === 'notifications/initialized') return await this.#initialize(fields);
    if (isRequest(fields)) await this.#request(fields);
    else if (fields.method === 'notifications/cancelled') await this.#cancel(fields);
    else await this.#notify(fields);
  }

  /** Also ends the session. */
  override async close(): Promise<void> {
    this.end('It was disconnected.');
    if (this.#session === undefined) return;
    const headers = this.#headers();
    this.#session = undefined;
    const signal = timeout(FAREWELL);
    await this.http.send({ method: 'DELETE', headers, signal }).catch(() => {}); // it may not offer that
  }

  async #request(message: Fields & { id: unknown }): Promise<void> {
    const exchange = new Exchange(message, {
      post: (signal) => this.#post(message, signal),
      resume: (lastEventId, signal) => this.#get(lastEventId, signal),
      pass: (other) => this.pass(other),
      answered: (answer) => this.pass(this.#learn(message, answer)),
    });
    this.#open.set(message.id, exchange);
    const end = () => exchange.end();
    this.closed.addEventListener('abort', end);
    try {
      await exchange.run();
    } finally {
      this.closed.removeEventListener('abort', end);
      this.#open.delete(message.id);
    }
  }

  /** In the modern era the end of its stream cancels a request. */
  async #cancel(message: Fields): Promise<void> {
    const exchange = this.#open.get(fieldsOf(message.params).requestId);
    exchange?.end();
    if (!isModern(message)) await this.#notify(message);
  }

  async #initialize(message: Fields): Promise<void> {
    this.#initialized = this.#notify(message).catch(() => {}); // the next request says why
    await this.#initialized;
    this.#listen().catch(() => {}); // few servers offer the stream
  }

  async #notify(message: Fields): Promise<void> {
    const response = await this.#post(message, this.closed);
    await response.body?.cancel();
  }

  /** Reads what the server sends without being asked. */
  async #listen(): Promise<void> {
    await followStream({
      open: (lastEventId) => this.#get(lastEventId, this.closed),
      take: (data) => {
        this.take(data);
        return false;
      },
      mayReopen: () => true,
      signal: this.closed,
    });
  }

  /** Takes over what an answer says about the connection. */
  #learn(request: Fields, answer: Fields): Fields {
    const result = fieldsOf(answer.result);
    if (request.method === 'initialize') this.#version = String(result.protocolVersion);
    if (request.method !== 'tools/list' || !isModern(request) || !answer.result) return answer;
    return { ...answer, result: this.#parameters.learn(result) };
  }

  async #post(message: Fields, signal: AbortSignal): Promise<Response> {
    const response = await this.#send(this.#requestOf(message, signal));
    if (message.method === 'initialize') this.#session = response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }

  #requestOf(message: Fields, signal: AbortSignal): HttpRequest {
    const { method, params } = message;
    const headers = {
      ...this.#headers(),
      ...(isModern(message) && method === 'tools/call' && this.#parameters.headersOf(fieldsOf(params))),
      ...modernHeaders(message),
      accept: `application/json, ${EVENTS}`,
      'content-type': 'application/json',
    };
    return { method: 'POST', headers, body: JSON.stringify(message), signal };
  }

  async #get(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const last = lastEventId !== undefined && { 'last-event-id': lastEventId };
    const headers = { ...this.#headers(), ...last, accept: EVENTS };
    const response = await this.#send({ method: 'GET', headers, signal });
    if (!hasType(response, EVENTS)) throw await wrongType(response);
    return response;
  }

  async #send(request: HttpRequest): Promise<Response> {
    try {
      return await this.http.send(request);
    } catch (error) {
      if (this.#session === undefined || !(await this.#isForgotten(error))) throw error;
      this.#session = undefined;
      this.end('It ended the session.');
      throw new ConnectionClosedError('The server ended the session.');
    }
  }

  /** Whether the server does not know the session. If its answer can mean something else, a ping shows which. */
  async #isForgotten(error: unknown): Promise<boolean> {
    if (!(error instanceof HttpStatusError)) return false;
    if (error.status === 404 || !mayMissSession(error)) return error.status === 404;
    const signal = AbortSignal.any([this.closed, timeout(SIGN_OF_LIFE)]);
    try {
      const ping = this.#requestOf({ jsonrpc: '2.0', id: 'session', method: 'ping' }, signal);
      await (await this.http.send(ping)).body?.cancel();
      return false;
    } catch (second) {
      return second instanceof HttpStatusError && (second.status === 404 || mayMissSession(second));
    }
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }
}
