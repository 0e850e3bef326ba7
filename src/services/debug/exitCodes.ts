import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Where Node tells of each process that this extension host starts. */
const STARTED = 'child_process';

/**
 * Calls back when a process ends by itself that this extension host starts, in one of its extensions, before it is disposed: the
 * debugger for JavaScript does not tell the exit code of a program whose streams it takes.
 */
export function onExit(take: (pid: number, code: number) => void): { dispose(): void } {
  const follow = (message: unknown): void => {
    const { process } = message as { process: ChildProcess };
    process.once('exit', (code) => {
      if (process.pid !== undefined && code !== null) take(process.pid, code);
    });
  };
  subscribe(STARTED, follow);
  return { dispose: () => void unsubscribe(STARTED, follow) };
}
