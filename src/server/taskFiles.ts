import { once } from 'node:events';
import { UserError } from '../core/errors.ts';
import { type Fields, fieldsOf, isObject, parsedJson } from '../core/json.ts';
import { MAX_LINE } from '../core/jsonRpc.ts';
import { Splitter } from '../core/text/lines.ts';
import { dial } from '../ipc/dial.ts';
import {
  hasEnded,
  isAlive,
  type KeptTask,
  keepTask,
  keptTask,
  lastState,
  tidyTasks,
} from '../ipc/taskFile.ts';
import { readRecords, type WindowRecord } from '../ipc/windowRecord.ts';
import type { TaskState } from '../protocol/tasks/callTask.ts';
import type { TaskMethod, TaskStore } from '../protocol/tasks/tasks.ts';
import { timeout } from '../util/clock.ts';

/** How many new ones there are between two looks at what can go. */
const BETWEEN = 100;
/** How long another window may take to answer, in milliseconds. */
const ANSWERING = 5_000;

interface Options {
  /** The state directory, which only this user can read. */
  home: string;
  /** The id of this window. */
  windowId(): string;
}

/**
 * Tasks as files in the user's state directory: each window answers for all of them, also for those of a window that has closed. While
 * a task goes on, the window that has it is asked.
 */
export class TaskFiles implements TaskStore {
  readonly #options: Options;
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  save(state: TaskState): void {
    const { home, windowId } = this.#options;
    keepTask(home, windowId(), state);
    if (!hasEnded(state) && this.#count++ % BETWEEN === 0) tidyTasks(home);
  }

  async ask(method: TaskMethod, params: Fields): Promise<Fields | undefined> {
    const { home } = this.#options;
    const kept = keptTask(home, params.taskId);
    if (!kept) return undefined;
    const answer = hasEnded(kept.state) ? undefined : await this.#askWindow(kept, method, params);
    if (answer) return answer;
    // It may have ended meanwhile.
    const now = keptTask(home, params.taskId) ?? kept;
    if (method === 'tasks/get') return lastState(now, !isOwn(now) && isAlive(now));
    if (!hasEnded(now.state) && isAlive(now) && !isOwn(now))
      throw new UserError('The VS Code window that has this task does not answer. Try again.');
    return {};
  }

  /** Undefined if that window does not answer, or has the task no more. */
  async #askWindow({ window }: KeptTask, method: TaskMethod, params: Fields): Promise<Fields | undefined> {
    const { home, windowId } = this.#options;
    const record = window === windowId() ? undefined : readRecords(home).find(({ id }) => id === window);
    const answer = record && (await request(record, method, params).catch(() => undefined));
    return isObject(answer) ? answer : undefined;
  }
}

/** Whether it was of this process, which has it no more: of its window before a reload that kept the process. */
const isOwn = ({ pid }: KeptTask): boolean => pid === process.pid;

/** Asks a window, as a hook asks it. @throws Error if it does not answer */
async function request(record: WindowRecord, method: TaskMethod, params: Fields): Promise<unknown> {
  const { socket, enter } = await dial(record);
  try {
    await enter({ purpose: 'hook' });
    const { promise, resolve } = Promise.withResolvers<string>();
    const lines = new Splitter<string>('\n', MAX_LINE, resolve, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    const closed = once(socket, 'close', { signal: timeout(ANSWERING) });
    closed.catch(() => {}); // where the answer came first
    return fieldsOf(parsedJson(await Promise.race([promise, closed.then(() => '')]))).result;
  } finally {
    socket.destroy();
  }
}
