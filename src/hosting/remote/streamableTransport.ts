import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, parsedJson } from '../../core/json.ts';
import { isAnswer, type RequestId } from '../../core/jsonRpc.ts';
import { clock, timeout } from '../../util/clock.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import { ConnectionClosedError } from '../connection/client.ts';
import { MESSAGE_BYTES, messagesOf, oversizedReply } from '../connection/incoming.ts';
import type { Authorization } from './authorization.ts';
import { HttpStatusError, mayHaveEffect, readUpTo, TooLongError } from './http.ts';
import { isModern, MessageHeaders } from './messageHeaders.ts';
import {
  dataOf,
  EVENT_STREAM,
  type HttpRequest,
  hasType,
  RemoteTransport,
  wrongType,
} from './remoteTransport.ts';

/** Longest wait for the end of the session, in milliseconds. */
const SESSION_END_MS = 3_000;
/** Longest wait for a sign that the server still has the session, in milliseconds. */
const SESSION_PING_MS = 5_000;
/** Attempts in a row to resume the stream of a request. */
const MOST_RESUMES = 5;
/** Time that a server has to end the stream after the answer, in milliseconds. */
const STREAM_END_MS = 1_000;

/** A request of ours until its stream has ended. */
interface OpenRequest {
  message: Fields;
  abort: AbortController;
  isAnswered: boolean;
}

/** MCP over Streamable HTTP, both eras. Limits: 64 MB a message; see `FloodGauge` for a server that is disconnected. */
export class StreamableTransport extends RemoteTransport {
  readonly #headers: MessageHeaders;
  readonly #open = new Map<unknown, OpenRequest>();
  #initialized: Promise<void> | undefined;

  /** @param tools as `tools/list` gave them on an earlier connection */
  constructor(server: ResolvedRemote, authorization?: Authorization, tools?: readonly unknown[]) {
    super(server, authorization);
    this.#headers = new MessageHeaders(tools);
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
    if (fields.method !== undefined && fields.id !== undefined) return await this.#request(fields);
    if (fields.method === 'notifications/cancelled') {
      this.#open.get(fieldsOf(fields.params).requestId)?.abort.abort();
      if (isModern(fields)) return; // the end of its stream cancels a request
    }
    await this.#notify(fields);
  }

  /** Ends the session, too. */
  override async close(): Promise<void> {
    await super.close();
    if (this.#headers.session === undefined) return;
    const headers = this.#headers.ofConnection();
    this.#headers.session = undefined;
    const signal = timeout(SESSION_END_MS);
    await this.request({ method: 'DELETE', headers, signal }).catch(() => {}); // it may not offer that
  }

  protected override end(reason: string): void {
    for (const { abort } of this.#open.values()) abort.abort();
    super.end(reason);
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
    const signal = this.closed;
    const open = (lastEventId?: string) => this.#get(lastEventId, signal);
    for await (const data of dataOf({ open, mayReopen: () => true, signal })) this.take(data);
  }

  /** Resolves once it is answered or was ended. @throws UserError if there will be no answer; what `#send` throws */
  async #request(message: Fields): Promise<void> {
    const request = { message, abort: new AbortController(), isAnswered: false };
    const { signal } = request.abort;
    this.#open.set(message.id, request);
    try {
      const response = await this.#post(message, signal);
      if (hasType(response, 'application/json'))
        this.#takeFor(request, await readUpTo(MESSAGE_BYTES, response));
      else if (hasType(response, EVENT_STREAM)) await this.#follow(request, response);
      else throw await wrongType(response);
      if (!request.isAnswered) throw new UserError(NO_ANSWER_TEXT);
    } catch (error) {
      const answer = answerOf(error, message.id as RequestId);
      if (answer) this.#answer(request, answer);
      if (request.isAnswered || signal.aborted) return;
      throw mayHaveEffect(error) ? new UserError(NO_ANSWER_TEXT) : error;
    } finally {
      this.#open.delete(message.id);
    }
  }

  async #follow(request: OpenRequest, first: Response): Promise<void> {
    const { signal } = request.abort;
    const messages = dataOf({
      first,
      open: (lastEventId) => this.#get(lastEventId, signal),
      mayReopen: (attempt, lastEventId) =>
        !request.isAnswered && lastEventId !== undefined && attempt <= MOST_RESUMES,
      signal,
    });
    let cancelEnd: (() => void) | undefined;
    try {
      for await (const data of messages) {
        this.#takeFor(request, data);
        if (request.isAnswered) cancelEnd ??= clock.after(STREAM_END_MS, () => request.abort.abort());
      }
    } finally {
      cancelEnd?.();
    }
  }

  /** Some servers send the id as a string. */
  #takeFor(request: OpenRequest, text: string): void {
    const id = String(request.message.id);
    for (const message of (messagesOf(text) ?? []) as Fields[]) {
      if (isAnswer(message) && String(message.id) === id) this.#answer(request, message);
      else this.pass(message);
    }
  }

  #answer(request: OpenRequest, answer: Fields): void {
    request.isAnswered = true;
    this.pass(this.#headers.learn(request.message, answer));
  }

  async #post(message: Fields, signal: AbortSignal): Promise<Response> {
    const response = await this.#send(this.#posted(message, signal));
    if (message.method === 'initialize')
      this.#headers.session = response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }

  #posted(message: Fields, signal: AbortSignal): HttpRequest {
    const types = { accept: `application/json, ${EVENT_STREAM}`, 'content-type': 'application/json' };
    const headers = { ...this.#headers.of(message), ...types };
    return { method: 'POST', headers, body: JSON.stringify(message), signal };
  }

  async #get(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const last = lastEventId !== undefined && { 'last-event-id': lastEventId };
    const headers = { ...this.#headers.ofConnection(), ...last, accept: EVENT_STREAM };
    const response = await this.#send({ method: 'GET', headers, signal });
    if (!hasType(response, EVENT_STREAM)) throw await wrongType(response);
    return response;
  }

  async #send(request: HttpRequest): Promise<Response> {
    try {
      return await this.request(request);
    } catch (error) {
      if (this.#headers.session === undefined || !(await this.#isForgotten(error))) throw error;
      this.#headers.session = undefined;
      this.end('It ended the session.');
      throw new ConnectionClosedError('The server ended the session.');
    }
  }

  /** Whether the server does not know the session. If its answer can mean something else, a ping shows which. */
  async #isForgotten(error: unknown): Promise<boolean> {
    if (!(error instanceof HttpStatusError)) return false;
    if (error.status === 404 || !error.mayMissSession) return error.status === 404;
    const signal = AbortSignal.any([this.closed, timeout(SESSION_PING_MS)]);
    try {
      const ping = this.#posted({ jsonrpc: '2.0', id: 'session', method: 'ping' }, signal);
      await (await this.request(ping)).body?.cancel();
      return false;
    } catch (second) {
      return second instanceof HttpStatusError && (second.status === 404 || second.mayMissSession);
    }
  }
}

/** The answer that an error stands for: a message that is too long, or a JSON-RPC error with an HTTP status. */
function answerOf(error: unknown, id: RequestId): Fields | undefined {
  if (error instanceof TooLongError) return oversizedReply(id) as Fields;
  const answer = error instanceof HttpStatusError ? parsedJson(error.body) : undefined;
  // A server that could not read the request does not know its id.
  return isAnswer(answer) && answer.error !== undefined ? { ...answer, id } : undefined;
}

const NO_ANSWER_TEXT =
  'The server sent no valid answer, or the connection broke before it. It is unknown whether the request took effect: check before you repeat it.';
