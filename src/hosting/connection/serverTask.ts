import {
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
} from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { clock, delay } from '../../util/clock.ts';
import type { Hide } from '../hide.ts';
import { cancelled, type RequestHandler } from './inputRounds.ts';

/** How long a server of 2025-11-25 is asked to keep a task, in milliseconds: it may forget the result of a longer one. */
const KEPT_MS = 24 * 60 * 60_000;

/** The parameters that make a call of a tool a task in MCP 2025-11-25; none if the server makes no tasks of calls. */
export const taskParams = ({ tasks }: Fields): Fields =>
  fieldsOf(fieldsOf(fieldsOf(tasks).requests).tools).call ? { task: { ttl: KEPT_MS } } : {};

/** The task that a server has made of a call; undefined for any other result. */
export function taskIn(result: unknown, era: ProtocolEra): Fields | undefined {
  const { resultType, task: inner, content, ...fields } = fieldsOf(result);
  const task = era === 'modern' ? resultType === 'task' && fields : content === undefined && inner;
  return typeof fieldsOf(task).taskId === 'string' ? fieldsOf(task) : undefined;
}

/** The task of a request of the server, for `_meta` of the answer (MCP 2025-11-25). */
export function relatedTask({ _meta }: Fields): Fields {
  const related = fieldsOf(_meta)[RELATED_TASK_META_KEY];
  return related === undefined ? {} : { _meta: { [RELATED_TASK_META_KEY]: related } };
}

/** Parameters or a result without the task that they belong to: its id means nothing outside of the connection. */
export function withoutTask<T>(fields: T): T {
  if (!isObject(fields) || !relatedTask(fields)._meta) return fields;
  const { _meta, ...others } = fields;
  const { [RELATED_TASK_META_KEY]: _, ...meta } = fieldsOf(_meta);
  return (Object.keys(meta).length > 0 ? { ...others, _meta: meta } : others) as T;
}

interface SendOptions {
  signal?: AbortSignal;
  timeout?: number;
}

/** The connection to the server of a task. */
export interface TaskPeer {
  era: ProtocolEra;
  /** @throws as `HostedClient.request` does */
  send(method: string, params: Fields, options: SendOptions): Promise<unknown>;
  /** The result in a JSON-RPC answer. @throws ProtocolError if it has an error */
  resultOf(answer: Fields): unknown;
  answer: RequestHandler;
  /** For what the server says about its work. */
  hide: Hide;
  /** Called at the start, and when the server says something else about its work. */
  onStatus?: ((message: string | undefined) => void) | undefined;
  /** Cancels the task. */
  signal?: AbortSignal | undefined;
}

/** Milliseconds for the answer to a cancellation. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Does not wait for it: the server decides what becomes of the task. */
export function cancelTask(taskId: unknown, send: TaskPeer['send']): void {
  send('tasks/cancel', { taskId }, { timeout: CANCEL_TIMEOUT_MS }).catch(() => {});
}

/** Milliseconds from one look at the status to the next: if the server says nothing, and the limits of what it may say. */
const PAUSE_MS = 1_000;
const LEAST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 30_000;

/** How often one message about a task is sent: connections break while a task goes on. */
const MOST_TRIES = 3;

/** Milliseconds after the `ttl` of a task in which it may still end: some servers count it from the end of their work. */
const GRACE_MS = 60 * 60_000;

const UNKNOWN_EFFECT = 'It is unknown whether the call took effect: check before you repeat it.';

/** One task of a server, until the result of its call (MCP 2025-11-25, and the extension of 2026-07-28). */
export class ServerTask {
  readonly #id: unknown;
  readonly #peer: TaskPeer;
  readonly #began = clock.now();
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  /** The result, or the error of a question, if it comes before the status says that the task has ended. */
  readonly #sooner = Promise.withResolvers<unknown>();
  /** The server's questions by their keys, aborted when it takes them back. */
  readonly #questions = new Map<string, AbortController>();
  #said: { message: string | undefined } | undefined;
  #fetching: Promise<unknown> | undefined;
  #isOver = false;

  /** @param id `taskId` of the server */
  constructor(id: unknown, peer: TaskPeer) {
    this.#id = id;
    this.#peer = peer;
    const { signal } = this.#end;
    this.#signal = peer.signal ? AbortSignal.any([peer.signal, signal]) : signal;
  }

  /**
   * Follows the task; cancels it at the server if that fails.
   *
   * @param first what `taskIn` found
   * @returns the result of the call
   * @throws the call's own ProtocolError; UserError if the server cancels or forgets the task, or has not ended it an hour after its
   *   `ttl`; what the answers to its questions throw; CancelledError; ConnectionClosedError
   */
  async result(first: Fields): Promise<unknown> {
    this.#tell(first);
    try {
      return withoutTask(await Promise.race([this.#followed(first), this.#sooner.promise]));
    } catch (error) {
      if (!this.#isOver) cancelTask(this.#id, this.#peer.send);
      throw error;
    } finally {
      this.#end.abort();
    }
  }

  async #followed(first: Fields): Promise<unknown> {
    if (isOpen(first)) await this.#pause(pauseAfter(first));
    let task = await this.#look();
    for (; isOpen(task); task = await this.#look()) {
      this.#serve(task);
      await this.#pause(pauseAfter(task));
    }
    this.#isOver = true;
    return await this.#outcome(task);
  }

  /** What the server says about its work, if it is something else than before. */
  #tell(task: Fields): void {
    const message = this.#message(task);
    if (this.#said && this.#said.message === message) return;
    this.#said = { message };
    this.#peer.onStatus?.(message);
  }

  async #look(): Promise<Fields> {
    try {
      return fieldsOf(await this.#send('tasks/get'));
    } catch (error) {
      const isForgotten = error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
      if (!isForgotten) throw error;
      this.#isOver = true;
      throw new UserError(
        `The server does not know the task of this call any more, so the result is lost. ${UNKNOWN_EFFECT}`,
      );
    }
  }

  /** Does what an open task needs. @throws UserError if it has been open for too long */
  #serve(task: Fields): void {
    const { ttlMs, ttl = ttlMs, status, inputRequests } = task;
    this.#tell(task);
    if (typeof ttl === 'number' && clock.now() - this.#began > ttl + GRACE_MS)
      throw new UserError(
        `The server has not ended the task of this call within the ${ttl / 1_000} s that it keeps it, so the task was cancelled. ${UNKNOWN_EFFECT}`,
      );
    if (this.#peer.era === 'modern') this.#ask(fieldsOf(inputRequests));
    // A server of 2025-11-25 sends its questions by requests, perhaps not before the result is asked for.
    else if (status === 'input_required') this.#fetch().then(this.#sooner.resolve, () => {});
  }

  /** Each question is asked once, although each status repeats it until the server has the answer. */
  #ask(requests: Fields): void {
    for (const [key, abort] of this.#questions) if (!Object.hasOwn(requests, key)) abort.abort();
    for (const [key, request] of Object.entries(requests)) {
      if (this.#questions.has(key)) continue;
      const abort = new AbortController();
      this.#questions.set(key, abort);
      this.#answer(key, fieldsOf(request), AbortSignal.any([this.#signal, abort.signal])).catch((error) => {
        if (!abort.signal.aborted) this.#sooner.reject(error);
      });
    }
  }

  async #answer(key: string, { method, params }: Fields, signal: AbortSignal): Promise<void> {
    const response = await this.#peer.answer(String(method), fieldsOf(params), signal);
    if (!signal.aborted) await this.#send('tasks/update', { inputResponses: { [key]: response } });
  }

  #message({ statusMessage }: Fields): string | undefined {
    return typeof statusMessage === 'string' ? this.#peer.hide(statusMessage) : undefined;
  }

  async #outcome(task: Fields): Promise<unknown> {
    const { status, result, error } = task;
    if (status === 'cancelled')
      throw new UserError(`The server cancelled the task of this call. ${this.#message(task) ?? ''}`.trim());
    if (status !== 'completed' && status !== 'failed')
      throw new UserError(`The server sent an invalid status of the task of this call. ${UNKNOWN_EFFECT}`);
    return this.#peer.era === 'legacy' ? await this.#fetch() : this.#peer.resultOf({ result, error });
  }

  /** The result in MCP 2025-11-25, which the server gives once the task has ended. */
  #fetch(): Promise<unknown> {
    this.#fetching ??= this.#send('tasks/result').finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  /** Repeats what may succeed the next time: no message about a task does anything a second time. */
  async #send(method: string, params: Fields = {}): Promise<unknown> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#peer.send(method, { taskId: this.#id, ...params }, { signal: this.#signal });
      } catch (error) {
        if (!mayPass(error, method) || tries === MOST_TRIES) throw error;
        await this.#pause(PAUSE_MS);
      }
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, this.#signal).catch(cancelled);
  }
}

/** The server has no such task, or no tasks. */
const FINAL: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InvalidParams,
  ProtocolErrorCode.MethodNotFound,
]);

/** Whether no answer came, or an error about the status: the one of a result is the call's own. */
const mayPass = (error: unknown, method: string): boolean =>
  error instanceof ProtocolError
    ? method === 'tasks/get' && !FINAL.has(error.code)
    : error instanceof UserError;

const isOpen = ({ status }: Fields): boolean => status === 'working' || status === 'input_required';

function pauseAfter({ pollIntervalMs, pollInterval = pollIntervalMs }: Fields): number {
  if (typeof pollInterval !== 'number' || Number.isNaN(pollInterval)) return PAUSE_MS;
  return Math.min(Math.max(pollInterval, LEAST_PAUSE_MS), MOST_PAUSE_MS);
}
