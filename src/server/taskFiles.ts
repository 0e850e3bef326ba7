import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fields, fieldsOf, isObject, parsedJson } from '../core/json.ts';
import { MAX_LINE } from '../core/jsonRpc.ts';
import { Splitter } from '../core/text/lines.ts';
import { dial } from '../ipc/dial.ts';
import { replaceFile } from '../ipc/replaceFile.ts';
import { readRecords, type WindowRecord } from '../ipc/windowRecord.ts';
import { failedResult, hasEnded, KEPT, type TaskState } from '../protocol/tasks/callTask.ts';
import { lostText, type TaskMethod, type TaskStore } from '../protocol/tasks/tasks.ts';
import { timeout } from '../util/clock.ts';
import { entryNamesIn } from '../util/diskPaths.ts';

/** Most tasks that are kept, and bytes of them. */
const MOST = 1_000;
const MOST_BYTES = 200 * 1024 * 1024;
/** How many new ones there are between two looks at what can go. */
const BETWEEN = 100;
/** How long another window may take to answer, in milliseconds. */
const ANSWERING = 5_000;

const ID = /^[0-9a-f]{32}$/;

interface Options {
  /** The state directory, which only this user can read. */
  home: string;
  /** The id of this window. */
  windowId(): string;
}

/** What is kept of a task. */
interface Kept {
  state: TaskState;
  /** The window that has it, or had it. */
  window: string;
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
    const directory = join(home, 'tasks');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const kept: Kept = { window: windowId(), state };
    replaceFile(join(directory, `${state.taskId}.json`), JSON.stringify(kept), { mode: 0o600 });
    if (!hasEnded(state) && this.#count++ % BETWEEN === 0) tidy(directory);
  }

  async ask(method: TaskMethod, params: Fields): Promise<Fields | undefined> {
    const kept = await this.#read(params.taskId);
    if (!kept) return undefined;
    if (!hasEnded(kept.state)) {
      const answer = await this.#askWindow(kept, method, params);
      if (answer) return answer;
    }
    return method === 'tasks/get' ? ended(kept) : {};
  }

  async #read(id: unknown): Promise<Kept | undefined> {
    if (typeof id !== 'string' || !ID.test(id)) return undefined;
    const path = join(this.#options.home, 'tasks', `${id}.json`);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    const { state, window } = fieldsOf(text === undefined ? undefined : parsedJson(text));
    const isKept = isObject(state) && typeof window === 'string';
    return isKept ? { state: state as TaskState, window } : undefined;
  }

  /** Undefined if that window is gone, or has the task no more. */
  async #askWindow({ window }: Kept, method: TaskMethod, params: Fields): Promise<Fields | undefined> {
    const { home, windowId } = this.#options;
    const record = window === windowId() ? undefined : readRecords(home).find(({ id }) => id === window);
    const answer = record && (await request(record, method, params).catch(() => undefined));
    return isObject(answer) ? answer : undefined;
  }
}

/** The state at the end; if none came, the window is gone. */
const ended = ({ state }: Kept): TaskState =>
  hasEnded(state) ? state : { ...state, status: 'completed', result: failedResult(lostText(state)) };

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
    return fieldsOf(parsedJson(await Promise.race([promise, closed.then(() => '')]))).result;
  } finally {
    socket.destroy();
  }
}

/** Deletes the oldest, and what nobody asks for any more. */
function tidy(directory: string): void {
  const files = entryNamesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return mtimeMs === undefined || size === undefined ? [] : [{ path, mtimeMs, size }];
  });
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const [at, { path, mtimeMs, size }] of files.entries()) {
    bytes += size;
    if (at >= MOST || bytes > MOST_BYTES || Date.now() - mtimeMs > LONGEST) rmSync(path, { force: true });
  }
}

/** How long a task may be kept that still goes on as far as its file tells, in milliseconds. */
const LONGEST = 7 * KEPT;
