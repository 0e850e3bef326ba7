import { randomBytes } from 'node:crypto';
import type { InputRequests } from '@modelcontextprotocol/server';
import { CANCELLED_BY_USER } from '../../core/cancelled.ts';
import type { Fields } from '../../core/json.ts';
import { failedResult, TASK_KEPT } from '../../ipc/taskFile.ts';
import { unlessAborted } from '../../util/clock.ts';

/** How often a client asks, in milliseconds. */
const POLL_INTERVAL = 1_000;

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as `tasks/get` tells it (MCP extension io.modelcontextprotocol/tasks). Times are in milliseconds, dates in ISO 8601. */
export interface TaskState extends Fields {
  taskId: string;
  status: Status;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** From its creation on. It grows while the call goes on. */
  ttlMs: number;
  pollIntervalMs: number;
  /** If the status is `input_required`. */
  inputRequests?: InputRequests;
  /** What the call was to answer, if the status is `completed`. */
  result?: unknown;
  /** The JSON-RPC error, if it is `failed`. */
  error?: object;
}

export type TaskEnd = { result: unknown } | { error: object } | 'cancelled';

interface Asked {
  request: InputRequests[string];
  onlyAway: boolean;
  /** Whether the client knows of it. */
  isTold: boolean;
  take(answer: unknown): void;
}

/** A call that goes on after its request was answered. */
export class CallTask {
  /** A client that knows it gets the result: nobody can guess it. */
  readonly id = randomBytes(16).toString('hex');
  /** Resolves when it has ended. */
  readonly ended: Promise<TaskState>;
  isCancelledByUser = false;
  readonly #isAway: () => boolean;
  readonly #abort: AbortController;
  readonly #asked = new Map<string, Asked>();
  /** Milliseconds since the epoch: when the request was answered with it. */
  createdAt = Date.now();
  #updated = this.createdAt;
  #message: string | undefined;
  #end: TaskEnd | undefined;
  #resolve!: (state: TaskState) => void;

  /** @param abort of the call. @param isAway whether the window does not have the focus */
  constructor(abort: AbortController, isAway: () => boolean) {
    this.#abort = abort;
    this.#isAway = isAway;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get state(): TaskState {
    const end = this.#end;
    const asked = end ? [] : this.#toTell();
    const message = this.#message;
    return {
      taskId: this.id,
      status: statusOf(end) ?? (asked.length > 0 ? 'input_required' : 'working'),
      ...(message !== undefined && !end && { statusMessage: message }),
      createdAt: new Date(this.createdAt).toISOString(),
      lastUpdatedAt: new Date(this.#updated).toISOString(),
      ttlMs: (end ? this.#updated : Date.now()) - this.createdAt + TASK_KEPT,
      pollIntervalMs: POLL_INTERVAL,
      ...(asked.length > 0 && {
        inputRequests: Object.fromEntries(asked.map(([key, { request }]) => [key, request])),
      }),
      ...(typeof end === 'object' && end),
    };
  }

  /** What answers `tasks/get`: from now on the client knows what is asked. */
  told(): TaskState {
    for (const [, asked] of this.#toTell()) asked.isTold = true;
    return this.state;
  }

  #toTell(): [string, Asked][] {
    return [...this.#asked].filter(([, { onlyAway }]) => !onlyAway || this.#isAway());
  }

  /** What answers the request: only `tasks/get` tells what is asked, and the end. */
  begin(): TaskState {
    this.createdAt = Date.now();
    const { inputRequests: _, result: __, error: ___, ...state } = this.state;
    return { ...state, status: 'working', resultType: 'task' };
  }

  /** Says what it waits for. */
  tell(message: string): void {
    if (this.#end) return;
    this.#message = message;
    this.#updated = Date.now();
  }

  /**
   * Asks the client, each request by a key of its own, which nobody can guess.
   *
   * @param onlyAway only while the window does not have the focus
   * @returns the answers by the same keys, unchecked; undefined once the signal is aborted
   */
  async ask(requests: InputRequests, signal: AbortSignal, onlyAway = false): Promise<Fields | undefined> {
    const suffix = randomBytes(8).toString('hex');
    const keyOf = (name: string) => `${name}-${suffix}`;
    const answers = Object.entries(requests).map(async ([name, request]) => {
      const { promise, resolve: take } = Promise.withResolvers<unknown>();
      this.#asked.set(keyOf(name), { request, onlyAway, isTold: false, take });
      return [name, await promise] as const;
    });
    const all = await unlessAborted(Promise.all(answers), signal);
    for (const name of Object.keys(requests)) this.#asked.delete(keyOf(name));
    return all && Object.fromEntries(all);
  }

  /** Takes answers of the client; others than those to what it was told and is asked now are passed over. */
  answer(responses: Fields): void {
    for (const [key, response] of Object.entries(responses)) {
      const asked = this.#asked.get(key);
      if (!asked?.isTold) continue;
      this.#asked.delete(key);
      asked.take(response);
      this.#updated = Date.now();
    }
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Only the first end counts. */
  end(end: TaskEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#updated = Date.now();
    this.#resolve(this.state);
  }

  /** The client wants the result no more: what it started is stopped. */
  cancel(): void {
    this.end('cancelled');
    this.#abort.abort('The client has cancelled the task.');
  }

  cancelForUser(): void {
    this.isCancelledByUser = true;
    this.end({ result: failedResult(CANCELLED_BY_USER) });
    this.#abort.abort(CANCELLED_BY_USER);
  }
}

function statusOf(end: TaskEnd | undefined): Status | undefined {
  if (end === undefined || end === 'cancelled') return end;
  return 'result' in end ? 'completed' : 'failed';
}
