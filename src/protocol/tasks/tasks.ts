import {
  INTERNAL_ERROR,
  type InputRequiredResult,
  isInputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import type { Call, Input } from '../../features/context.ts';
import { Unchecked } from '../../features/tool.ts';
import type { Log } from '../../util/log.ts';
import type { Serve, ServedConnection } from '../connection.ts';
import { invalidParams } from '../errors.ts';
import { CallTask, failedResult, type TaskState } from './callTask.ts';

/** The id of the MCP extension (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';

export type TaskMethod = 'tasks/get' | 'tasks/update' | 'tasks/cancel';

export const isTaskMethod = (method: unknown): method is TaskMethod =>
  method === 'tasks/get' || method === 'tasks/update' || method === 'tasks/cancel';

/** Most tasks that have ended and could not be stored. */
const MOST_KEPT = 1_000;

/** Where tasks are kept for other windows, and for the next one. */
export interface TaskStore {
  /** @throws Error of the system */
  save(state: TaskState): void;
  /** What the window that has the task answers, or what is kept of the task; undefined if there is none. */
  ask(method: TaskMethod, params: Fields): Promise<Fields | undefined>;
}

interface Options {
  /** Whether the user is elsewhere: no window has the focus. */
  isAway(): boolean;
  store?: TaskStore | undefined;
  log: Log;
}

/** The calls of a window that go on as tasks, of all its agents: their ids are good on any connection. */
export class Tasks {
  readonly #options: Options;
  /** Tasks that go on, and what could not be stored. */
  readonly #own = new Map<string, CallTask>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** One of this window. */
  get(id: unknown): CallTask | undefined {
    return this.#own.get(`${id}`);
  }

  /**
   * Runs a call of a client that takes tasks.
   *
   * @param call which is aborted with its request, until it becomes a task
   * @returns the result; the task in its place, as soon as the call becomes one
   */
  run(call: Call, perform: (call: Call) => Promise<unknown>): Promise<unknown> {
    const over = new AbortController();
    const end = () => over.abort(call.signal.reason);
    call.signal.addEventListener('abort', end);
    if (call.signal.aborted) end();
    const task = new CallTask(over, this.#options.isAway);
    const early = Promise.withResolvers<unknown>();
    let isTask = false;
    const becomeTask = (status: string) => {
      task.tell(status);
      if (isTask || over.signal.aborted) return;
      isTask = true;
      call.signal.removeEventListener('abort', end);
      this.#begin(task);
      early.resolve(task.created);
    };
    const own: Call = {
      ...call,
      signal: over.signal,
      becomeTask,
      form: (request, ended) => task.ask({ form: request }, ended, true).then((answers) => answers?.form),
      makeRoom: async (bytes) => (isTask ? undefined : call.makeRoom?.(bytes)),
      progress(progress, total, message) {
        if (!isTask) call.progress(progress, total, message);
        else if (message) task.tell(message);
      },
      log: (...message) => (isTask ? undefined : call.log(...message)),
    };
    const result = inRounds(own, task, () => isTask, perform);
    void result.then(
      (whole) => task.end({ result: whole instanceof Unchecked ? whole.result : whole }),
      (error) => task.end({ error: errorOf(error) }),
    );
    return Promise.race([early.promise, result]);
  }

  /** Answers a request about a task of this window; undefined if that has none with such an id. */
  answer(method: TaskMethod, { taskId, inputResponses }: Fields): Fields | undefined {
    const task = this.get(taskId);
    if (!task) return undefined;
    if (method === 'tasks/get') return task.look();
    if (method === 'tasks/cancel') task.cancel();
    else task.answer(fieldsOf(inputResponses));
    return {};
  }

  /** @throws ProtocolError −32602 if there is no such task, in any window of the user */
  async find(method: TaskMethod, params: Fields): Promise<Fields> {
    const found = this.answer(method, params) ?? (await this.#options.store?.ask(method, params));
    if (found) return found;
    throw invalidParams(
      'There is no such task: its id is wrong, or it has ended more than a day ago. Call the tool again.',
    );
  }

  /** The window closes: what goes on ends with it. */
  close(): void {
    for (const task of this.#own.values()) task.end({ result: failedResult(lostText(task.state)) });
  }

  #begin(task: CallTask): void {
    this.#own.set(task.id, task);
    this.#save(task.state);
    void task.ended.then((state) => {
      if (this.#save(state)) this.#own.delete(task.id);
      const [oldest] = [...this.#own].filter(([, one]) => one.state.result !== undefined);
      if (oldest && this.#own.size > MOST_KEPT) this.#own.delete(oldest[0]);
    });
  }

  #save(state: TaskState): boolean {
    const { store, log } = this.#options;
    try {
      store?.save(state);
      return store !== undefined;
    } catch (error) {
      log.warn(`A task could not be stored, and ends with this window: ${(error as Error).message}`);
      return false;
    }
  }
}

/** For the model: the window of a call has closed. */
export const lostText = ({ statusMessage = '' }: Partial<TaskState>): string =>
  `The VS Code window was closed or reloaded before this call had ended, and what it ran in VS Code was stopped. It is unknown whether the call took effect. Check before you call it again.${statusMessage && ` Its last status was: ${statusMessage}`}`;

const errorOf = (error: unknown): object => {
  const { code = INTERNAL_ERROR, message, data } = error as ProtocolError;
  return { code: error instanceof ProtocolError ? code : INTERNAL_ERROR, message, ...(data ? { data } : {}) };
};

/** Runs a call again with the answers that it asks for: as a task, it asks by the task. */
async function inRounds(
  call: Call,
  task: CallTask,
  isTask: () => boolean,
  perform: (call: Call) => Promise<unknown>,
): Promise<unknown> {
  let kept: unknown;
  const ask: Input['ask'] = async (inputRequests, state) => {
    if (!isTask()) return call.input.ask(inputRequests, state);
    kept = state;
    return { resultType: 'input_required', inputRequests } as InputRequiredResult;
  };
  let input: Input = { ...call.input, ask };
  for (;;) {
    const result = await perform({ ...call, input });
    if (!isTask() || !isInputRequiredResult(result)) return result;
    const answers = (await task.ask(result.inputRequests ?? {}, call.signal)) ?? {};
    input = { ...input, answers, state: kept };
  }
}

/** Whether the client of a call takes a task for an answer. */
export const takesTasks = (
  { era }: Pick<ServedConnection, 'era'>,
  { input: { capabilities } }: Pick<Call, 'input'>,
): boolean => era === 'modern' && isObject(fieldsOf(capabilities.extensions)[TASKS]);

const NEEDED = { requiredCapabilities: { extensions: { [TASKS]: {} } } };

const taskParams = z.object({ taskId: z.string() });

/** The methods of tasks. They are of 2026-07-28 and later. */
export function serveTasks(serve: Serve, connection: ServedConnection): void {
  const serveOne = (method: TaskMethod) =>
    serve(
      method,
      taskParams,
      ({ taskId }, call) => {
        if (!takesTasks(connection, call)) throw new MissingRequiredClientCapabilityError(NEEDED);
        // The SDK takes `inputResponses` out of the params of every request.
        return connection.tasks.find(method, { taskId, inputResponses: call.input.answers });
      },
      { isForAnyRoots: true },
    );
  serveOne('tasks/get');
  serveOne('tasks/cancel');
  serveOne('tasks/update');
}
