/** Tasks (MCP extension io.modelcontextprotocol/tasks) as files: what windows and shims know of each other's. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/errors.ts';
import { type Fields, fieldsOf, isObject, parsedJson } from '../core/json.ts';
import { entryNamesIn, readIfThere } from '../util/diskPaths.ts';
import { replaceFile } from './replaceFile.ts';
import { bootId } from './windowRecord.ts';

/** How long a task can be asked for after its end, in milliseconds. */
export const TASK_KEPT = 24 * 60 * 60_000;
/** How long a task is kept that still goes on as far as its file tells, in milliseconds. */
const LONGEST = 7 * TASK_KEPT;
/** Most tasks that are kept, and bytes of them. */
const MOST = 1_000;
const MOST_BYTES = 200 * 1024 * 1024;

const ID = /^[0-9a-f]{32}$/;

/** As `tasks/get` tells it. */
interface State extends Fields {
  taskId: string;
  status: string;
}

/** What is kept of a task. */
export interface KeptTask {
  state: State;
  /** The id of the window that has it, or had it. */
  window: string;
  /** Its process. */
  pid: number;
  boot: string;
}

export const hasEnded = ({ status }: { status: string }): boolean =>
  /^(completed|failed|cancelled)$/.test(status);

/** A result for the model in the place of one that does not come. */
export const failedResult = (text: string) => ({ content: [{ type: 'text', text }], isError: true });

/** For the model: the window of a call has closed. */
export const LOST =
  'The VS Code window was closed or reloaded before this call had ended, and what it ran in VS Code was stopped. It is unknown whether the call took effect. Check before you call it again.';

/** @param home the state directory. @throws Error of the system */
export function keepTask(home: string, window: string, state: State): void {
  const directory = join(home, 'tasks');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const kept: KeptTask = { window, pid: process.pid, boot: bootId(), state };
  replaceFile(pathOf(home, state), JSON.stringify(kept), { mode: 0o600 });
  if (hasEnded(state)) rmSync(pathOf(home, { ...state, status: 'working' }), { force: true });
}

const pathOf = (home: string, { taskId, status }: State): string =>
  join(home, 'tasks', `${taskId}${hasEnded({ status }) ? '' : '.working'}.json`);

/** @param home the state directory. @returns undefined if there is none, or it has ended too long ago */
export function keptTask(home: string, taskId: unknown): KeptTask | undefined {
  if (typeof taskId !== 'string' || !ID.test(taskId)) return undefined;
  for (const status of ['completed', 'working', 'completed']) {
    const path = pathOf(home, { taskId, status });
    const { state, window, pid, boot } = fieldsOf(parsedJson(`${readIfThere(path) ?? ''}`));
    const isOld = Date.now() - (attempt(() => statSync(path).mtimeMs) ?? 0) > TASK_KEPT;
    if (isObject(state) && !(isOld && status === 'completed'))
      return { state: state as State, window: `${window}`, pid: Number(pid), boot: `${boot}` };
  }
  return undefined;
}

/** Whether the process of its window is there. */
export const isAlive = ({ pid, boot }: KeptTask): boolean =>
  boot === bootId() && (attempt(() => process.kill(pid, 0)) ?? false);

/** What is known of it without its window: as long as that is there, its last state. */
export const lastState = ({ state }: KeptTask, isThere: boolean): State =>
  hasEnded(state) || isThere ? state : { ...state, status: 'completed', result: failedResult(LOST) };

/** Deletes the oldest, and what nobody asks for any more. @param home the state directory */
export function tidyTasks(home: string): void {
  const directory = join(home, 'tasks');
  const files = entryNamesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const { mtimeMs: at, size } = attempt(() => statSync(path)) ?? {};
    return at === undefined || size === undefined ? [] : [{ path, at, size }];
  });
  files.sort((a, b) => b.at - a.at);
  let bytes = 0;
  for (const [index, { path, at, size }] of files.entries()) {
    bytes += size;
    const longest = path.endsWith('.working.json') ? LONGEST : TASK_KEPT;
    if (index >= MOST || bytes > MOST_BYTES || Date.now() - at > longest) rmSync(path, { force: true });
  }
}
