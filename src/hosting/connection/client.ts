import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import { CancelledError, throwIfCancelled, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { RequestId } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import { type Hide, hiddenError, hideIn } from '../hide.ts';
import { AskedRequests, capabilitiesOf, type QuestionHandlers } from './asked.ts';
import { isInputRequired, type RequestHandler, withInput } from './inputRounds.ts';
import { type Agreement, type ClientIdentity, negotiate } from './negotiate.ts';
import { cancelTask, ServerTask, type TaskPeer, taskIn, taskParams } from './serverTask.ts';

/** The connection ended, so an open request gets no answer: it is unknown whether it took effect. */
export class ConnectionClosedError extends Error {
  override name = 'ConnectionClosedError';
}

/** Default for `startTimeout`, if the server is there already. */
export const START_TIMEOUT_MS = 60_000;

export interface ClientOptions {
  clientInfo: ClientIdentity['clientInfo'];
  /** A capability is declared only if its answer is given. The modern era's `input_required` gets the same answers. */
  answers?: QuestionHandlers;
  /** Whether pages of tools are shown (MCP Apps): some servers have such tools only then. */
  showsApps?: boolean;
  /** `era` of the last connection to this server. Without it, a silent legacy server takes 1.5 s longer to start. */
  knownEra?: ProtocolEra | undefined;
  /** Milliseconds for opening the connection. */
  startTimeout?: number;
  /** Gets each notification of the server except progress and cancellation, params as sent. */
  onNotification?: (method: string, params: unknown) => void;
  /** For its errors, also those in results, and its log and progress messages. */
  hide?: Hide;
  /** For the log: bugs, and answers to no request. */
  onError?: (error: Error) => void;
  onClose?: () => void;
}

/** Who sends a request and answers some of a modern server's questions itself. */
export interface Caller {
  /** The methods of those questions. */
  answers: readonly string[];
  /** What it can answer, in the form of a client's capabilities. */
  capabilities: Fields;
  /** Asks it while the request goes on. */
  ask(method: string, params: Fields): Promise<object>;
}

interface RequestOptions {
  /** Cancels the request: the server gets `notifications/cancelled`, the caller a CancelledError. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the params of each progress notification, in order and before the answer. The caller's own `progressToken`
   * is put back if its params have one; the server sees another one, because those of several agents may be equal.
   */
  onProgress?: ((params: Fields) => void) | undefined;
  /** Milliseconds to the answer, of each round; by default no limit. */
  timeout?: number;
  caller?: Caller | undefined;
  /** A call of a tool becomes a task at a server of 2025-11-25, if that makes tasks; a modern one decides itself. */
  asTask?: boolean;
  /** Called when a call of a tool has become a task of the server, and when the server says something else about its work. */
  onTask?: (message: string | undefined) => void;
}

/** Who gets the progress of a request. */
interface Listener {
  params: Fields | undefined;
  onProgress: NonNullable<RequestOptions['onProgress']>;
}

interface OpenRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A connection to one MCP server, of either protocol era. Parameters and results pass through as they are, except the progress token. */
export class HostedClient implements Agreement {
  era: ProtocolEra = 'legacy';
  capabilities: Fields = {};
  instructions?: string;
  meta?: Fields;
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #hide: Hide;
  readonly #open = new Map<number, OpenRequest>();
  /** By their tokens. They end with the request, also if that becomes a task. */
  readonly #listeners = new Map<number, Listener>();
  readonly #asked: AskedRequests;
  #lastId = 0;

  private constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#hide = options.hide ?? ((text) => text);
    this.#asked = new AskedRequests(options.answers ?? {});
    transport.onmessage = this.#take;
    transport.onclose = () => this.#closed();
  }

  /**
   * Starts the transport and agrees on a protocol version. If it fails, the caller closes the transport.
   *
   * @throws UserError; ProtocolError of a server that refuses; ConnectionClosedError
   */
  static async connect(transport: Transport, options: ClientOptions): Promise<HostedClient> {
    const { clientInfo, knownEra, startTimeout: timeout = START_TIMEOUT_MS } = options;
    const client = new HostedClient(transport, options);
    await transport.start();
    const us = { clientInfo, capabilities: capabilitiesOf(options.answers ?? {}, options.showsApps) };
    return Object.assign(client, await negotiate({ peer: client, us, timeout }, knownEra));
  }

  /**
   * Sends a request; parameters and result are not changed, whatever fields and content they have. In the modern era the
   * connection's `_meta` is added, and `input_required` is answered (at most 10 times). A call that becomes a task at the server
   * is followed to its result.
   *
   * @returns the result; an `InputRequired` with questions for the caller
   * @throws ProtocolError with the server's code, message and data; CancelledError; UserError after the timeout;
   *   ConnectionClosedError; what `ServerTask.result` throws
   */
  async request(method: string, params?: Fields, options: RequestOptions = {}): Promise<unknown> {
    const { onProgress } = options;
    const token = onProgress && ++this.#lastId;
    if (token) this.#listeners.set(token, { params, onProgress });
    try {
      const result = await this.#rounds(method, params, options, token);
      const task = method === 'tools/call' ? taskIn(result, this.era) : undefined;
      return task ? await this.#follow(task, options) : result;
    } finally {
      if (token) this.#listeners.delete(token);
    }
  }

  /** As in `notifications/roots/list_changed`, which only the legacy era has. Never throws: if the connection has ended, its requests have failed. */
  notify(method: string, params?: Fields): void {
    this.#write({ method, ...this.#outgoing(params) });
  }

  /** Ends the connection; resolves once the server's process has ended. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** A request and its repetitions. @returns also the task that a server has made of it */
  async #rounds(
    method: string,
    params: Fields | undefined,
    options: RequestOptions,
    token: number | undefined,
  ): Promise<unknown> {
    const { signal, caller, asTask } = options;
    const send = (all: Fields | undefined) => this.#send(method, all, options, token);
    if (this.era === 'legacy') return send(asTask ? { ...params, ...taskParams(this.capabilities) } : params);
    const said = caller ? { ...params, _meta: this.#metaFor(caller, params) } : params;
    const result = await send(said);
    if (!isInputRequired(result)) return result;
    return withInput(result, {
      params: said,
      send,
      answer: this.#asked.answer,
      signal,
      callers: caller?.answers,
    });
  }

  async #follow(task: Fields, { caller, signal, onTask }: RequestOptions): Promise<unknown> {
    const answer: RequestHandler = (method, params, itsSignal) =>
      caller?.answers.includes(method)
        ? caller.ask(method, params)
        : this.#asked.answer(method, params, itsSignal);
    const { era } = this;
    const how = { era, send: this.#sendPlain, resultOf: this.#resultOf, hide: this.#hide, answer };
    return await new ServerTask(task.taskId, { ...how, onStatus: onTask, signal }).result(task);
  }

  readonly #sendPlain: TaskPeer['send'] = (...message) => this.#send(...message);

  async #send(
    method: string,
    params: Fields | undefined,
    options: Pick<RequestOptions, 'signal' | 'timeout'>,
    token?: number,
  ): Promise<unknown> {
    const { signal, timeout } = options;
    if (signal) throwIfCancelled(signal);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { resolve, reject });
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
    const cancelLate = timeout === undefined ? undefined : clock.after(timeout, late);
    try {
      const sent = this.#outgoing(params, token);
      this.#transport.send({ jsonrpc: '2.0', id, method, ...sent }).catch(fail);
      return await promise;
    } finally {
      cancelLate?.();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #write(message: Fields): void {
    this.#transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => {});
  }

  /** Parameters with the connection's `_meta` and this progress token; without any token if there is none, because nobody would get the progress. */
  #outgoing(params: Fields | undefined, token?: number): { params?: Fields } {
    const own = fieldsOf(params?._meta);
    if (!this.meta && token === undefined && !('progressToken' in own)) return params ? { params } : {};
    const { progressToken: _, ...others } = own;
    const _meta = { ...this.meta, ...others, ...(token !== undefined && { progressToken: token }) };
    return { params: { ...params, _meta } };
  }

  /** The server must not ask a caller what it cannot answer. */
  #metaFor({ answers, capabilities }: Caller, params: Fields | undefined): Fields {
    const isTheirs = (kind: string) => answers.some((one) => one.startsWith(kind));
    const declared = fieldsOf(this.meta?.[CLIENT_CAPABILITIES_META_KEY]);
    const ours = Object.entries(declared).filter(([kind]) => !isTheirs(kind));
    const theirs = Object.entries(capabilities).filter(([kind]) => isTheirs(kind));
    return {
      ...fieldsOf(params?._meta),
      [CLIENT_CAPABILITIES_META_KEY]: Object.fromEntries([...ours, ...theirs]),
    };
  }

  readonly #take = (message: Fields): void => {
    const { id, method, params } = message;
    try {
      if (!('method' in message)) this.#answered(message);
      else if (typeof method !== 'string') return;
      else if (id !== undefined) void this.#reply(id as RequestId, method, fieldsOf(params));
      else if (method === 'notifications/progress') this.#progressed(fieldsOf(params));
      else if (method === 'notifications/cancelled') this.#asked.cancel(fieldsOf(params).requestId);
      else if (method === 'notifications/message')
        this.#options.onNotification?.(method, this.#hidden(params));
      else this.#options.onNotification?.(method, params);
    } catch (error) {
      this.#options.onError?.(hiddenError(error as Error, this.#hide)); // a bug of ours must not end the stream
    }
  };

  /** Secrets are hidden in what a log or progress message says. */
  #hidden<T>(params: T): T {
    const fields = fieldsOf(params);
    for (const name of ['data', 'logger', 'message'])
      if (name in fields) fields[name] = hideIn(fields[name], this.#hide);
    return params;
  }

  /** Some servers answer twice, with the id as a string, or errors without an id. */
  #answered(answer: Fields): void {
    const id = Number(answer.id ?? undefined);
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (!open) {
      this.#options.onError?.(new Error('The server sent an answer to no open request.'));
      const late = taskIn(answer.result, this.era); // of a call that was cancelled meanwhile
      if (late) cancelTask(late.taskId, this.#sendPlain);
      return;
    }
    try {
      open.resolve(this.#resultOf(answer));
    } catch (error) {
      open.reject(error as Error);
    }
  }

  readonly #resultOf = ({ result, error }: Fields): unknown => {
    if (error !== undefined) throw protocolError(hideIn(error, this.#hide));
    return fieldsOf(result).isError === true ? hideIn(result, this.#hide) : result;
  };

  #progressed({ progressToken, ...progress }: Fields): void {
    const listener = this.#listeners.get(Number(progressToken ?? undefined));
    const { progressToken: own } = fieldsOf(listener?.params?._meta);
    listener?.onProgress(this.#hidden(own === undefined ? progress : { progressToken: own, ...progress }));
  }

  async #reply(id: RequestId, method: string, params: Fields): Promise<void> {
    const reply = await this.#asked.reply(id, method, params);
    if (reply) this.#write(reply);
  }

  #closed(): void {
    for (const { reject } of this.#open.values()) reject(new ConnectionClosedError('The connection ended.'));
    this.#asked.cancelAll();
    this.#open.clear();
    this.#options.onClose?.();
  }
}

function protocolError(error: unknown): ProtocolError {
  const { code, message, data } = fieldsOf(error);
  const text = typeof message === 'string' ? message : JSON.stringify(error);
  return new ProtocolError(typeof code === 'number' ? code : ProtocolErrorCode.InternalError, text, data);
}
