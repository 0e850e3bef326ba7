import { renameSync, rmSync, writeFileSync } from 'node:fs';

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
    for (let left = platform === 'win32' ? TRIES : 1; !renamed(draft, path, rename, --left); ) pause();
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** False where it is worth another try: Windows refuses while a reader, or a virus scanner, has the old file open. */
function renamed(
  from: string,
  to: string,
  rename: (from: string, to: string) => void,
  left: number,
): boolean {
  try {
    rename(from, to);
    return true;
  } catch (error) {
    const isOpen = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (left > 0 && isOpen) return false;
    throw error;
  }
}

/** Without giving up the turn: a record is also written by a window that is about to end. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
