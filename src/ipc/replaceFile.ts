import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** How often, and after how many milliseconds, a file is tried again that somebody has open. */
const TRIES = 10;
const PAUSE = 10;

interface Options {
  mode: number;
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/** Writes a file so that a reader sees the old one or the new one, never a part. Leaves no draft behind. */
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

/** Windows refuses to replace a file while a reader, or a virus scanner, has it open: then it is tried again. */
function retried(tries: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    const isOpen = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (tries <= 1 || !isOpen) throw error;
    pause();
    retried(tries - 1, act);
  }
}

/** Without giving up the turn: a record is also written by a window that is about to end. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);

/** The content of a file; undefined where it is missing or cannot be read. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
