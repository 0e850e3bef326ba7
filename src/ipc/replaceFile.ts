import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Number of tries for a file that another process has open, and the pause between them in milliseconds. */
const TRIES = 10;
const PAUSE = 10;

interface Options {
  mode: number;
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/** Replaces a file atomically: readers see the old or the new content. @throws Error of the system, after removing the draft */
export function replaceFile(path: string, content: string | Uint8Array, options: Options): void {
  const { mode, platform = process.platform, rename = renameSync } = options;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, content, { mode });
    retried(platform === 'win32' ? TRIES : 1, () => rename(draft, path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Windows refuses to replace a file while a reader or virus scanner has it open, so retry. */
function retried(tries: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    const isOpen = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (tries <= 1 || !isOpen) throw error;
    // Blocks the thread: the window may be about to end while it writes a record.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    retried(tries - 1, act);
  }
}
