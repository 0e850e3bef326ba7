import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import type { RequestId } from '../../core/errorReply.ts';
import { CancelledError, throwIfCancelled, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { isAnswer } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import { type Hide, hiddenError, hideIn } from '../hide.ts';
import { ConnectionClosedError } from './connectionClosed.ts';
import { IncomingRequests, type RequestHandler } from './incomingRequests.ts';

export interface RequestOptions {
  /** Cancels the request: the server gets `notifications/cancelled`, the caller a CancelledError. */
  signal?: AbortSignal;
  /**
   * Called with the params of each progress notification, in order and before the answer. The caller's own `progressToken`
   * is put back if its params have one; the server sees another one, because those of several agents may be equal.
   */
  onProgress?: (params: Fields) => void;
  /** Milliseconds to the answer; by default no limit. */
  timeout?: number;
}

interface OpenRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onProgress(params: Fields): void;
}

export interface PeerHandlers {
  /** For errors, also those in results, and log and progress messages. */
  hide?: Hide;
  request: RequestHandler;
  /** A notification other than progress and cancellation, as it came. */
  notification(method: string, params: unknown): void;
  /** For the log: a bug, or an answer to no request. */
  error(error: Error): void;
  close(): void;
}

/** JSON-RPC over a transport. Parameters and results pass through unchanged, except the progress token. */
export class Peer {
  /** Added to `_meta` of all outgoing parameters, unless they have it: what MCP 2026-07-28 requires of each. */
  meta: Fields | undefined;
  readonly #transport: Transport;
  readonly #handlers: PeerHandlers;
  readonly #hide: Hide;
  readonly #incoming: IncomingRequests;
  readonly #open = new Map<number, OpenRequest>();
  #lastId = 0;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
    this.#hide = handlers.hide ?? ((text) => text);
    this.#incoming = new IncomingRequests(handlers.request, (message) => this.#send(message));
    transport.onmessage = (message: JSONRPCMessage) => this.#take(fieldsOf(message));
    transport.onclose = () => this.#closed();
    transport.onerror = (error) => handlers.error(hiddenError(error, this.#hide));
  }

  /**
   * The result as the server sent it.
   *
   * @throws ProtocolError with the server's code, message and data; CancelledError; UserError after the timeout;
   *   ConnectionClosedError
   */
  async request(method: string, params?: Fields, options: RequestOptions = {}): Promise<unknown> {
    const { signal, timeout, onProgress } = options;
    if (signal) throwIfCancelled(signal);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { resolve, reject, onProgress: withTokenOf(params, onProgress) });
    const fail = (error: Error) => {
      if (this.#open.delete(id)) reject(hiddenError(error, this.#hide));
    };
    const cancel = (error: Error) => {
      if (this.#open.has(id))
        this.notify('notifications/cancelled', { requestId: id, reason: error.message });
      fail(error);
    };
    const onAbort = () => cancel(new CancelledError('The request was cancelled.'));
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = () =>
      cancel(new UserError(`The server did not answer ${method} within ${(timeout ?? 0) / 1000} s.`));
    const cancelLate = timeout === undefined ? () => {} : clock.after(timeout, late);
    try {
      const sent = this.#outgoing(withToken(params, onProgress && id));
      this.#transport.send({ jsonrpc: '2.0', id, method, ...sent }).catch(fail);
      return await promise;
    } finally {
      cancelLate();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Never throws: if the connection has ended, its requests have failed. */
  notify(method: string, params?: Fields): void {
    this.#send({ jsonrpc: '2.0', method, ...this.#outgoing(params) });
  }

  #send(message: Fields): void {
    this.#transport.send(message as JSONRPCMessage).catch(() => {});
  }

  #outgoing(params: Fields | undefined): { params?: Fields } {
    if (this.meta) return { params: { ...params, _meta: { ...this.meta, ...fieldsOf(params?._meta) } } };
    return params ? { params } : {};
  }

  #take(message: Fields): void {
    const { id, method, params } = message;
    if (isAnswer(message)) this.#answered(message);
    else if (typeof method !== 'string') return;
    else if (id !== undefined) this.#incoming.take(id as RequestId, method, params);
    else if (method === 'notifications/progress') this.#progressed(fieldsOf(params));
    else if (method === 'notifications/cancelled') this.#incoming.cancel(fieldsOf(params).requestId);
    else if (method === 'notifications/message') this.#handlers.notification(method, this.#hidden(params));
    else this.#handlers.notification(method, params);
  }

  /** Secrets are hidden in what a log or progress message says. */
  #hidden<T>(params: T): T {
    const fields = fieldsOf(params);
    for (const name of ['data', 'logger', 'message'])
      if (name in fields) fields[name] = hideIn(fields[name], this.#hide);
    return params;
  }

  /** Some servers answer twice, with the id as a string, or errors without an id. */
  #answered({ id, result, error }: Fields): void {
    const open = this.#open.get(Number(id ?? undefined));
    this.#open.delete(Number(id));
    if (!open) this.#handlers.error(new Error('The server sent an answer to no open request.'));
    else if (error !== undefined) open.reject(protocolError(hideIn(error, this.#hide)));
    else open.resolve(fieldsOf(result).isError === true ? hideIn(result, this.#hide) : result);
  }

  #progressed(params: Fields): void {
    this.#open.get(Number(params.progressToken ?? undefined))?.onProgress(this.#hidden(params));
  }

  #closed(): void {
    this.#incoming.cancelAll();
    for (const { reject } of this.#open.values()) reject(new ConnectionClosedError('The connection ended.'));
    this.#open.clear();
    this.#handlers.close();
  }
}

function protocolError(error: unknown): ProtocolError {
  const { code, message, data } = fieldsOf(error);
  const text = typeof message === 'string' ? message : JSON.stringify(error);
  return new ProtocolError(typeof code === 'number' ? code : ProtocolErrorCode.InternalError, text, data);
}

/** Parameters with this progress token; without any if there is none, because nobody would get the progress. */
function withToken(params: Fields | undefined, token: number | undefined): Fields | undefined {
  const meta = fieldsOf(params?._meta);
  if (token === undefined && !('progressToken' in meta)) return params;
  const { progressToken: _, ...others } = meta;
  return { ...params, _meta: token === undefined ? others : { ...others, progressToken: token } };
}

const withTokenOf =
  (params: Fields | undefined, onProgress: RequestOptions['onProgress']) =>
  ({ progressToken: _, ...progress }: Fields): void => {
    const { progressToken } = fieldsOf(params?._meta);
    onProgress?.(progressToken === undefined ? progress : { progressToken, ...progress });
  };
