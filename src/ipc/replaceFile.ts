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

/** System error codes in plain words, with what the user can do. */
const REMEDIES: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space there.',
  EDQUOT: 'Your quota on this disk is used up. Free some space there.',
  EROFS: 'The file system is read-only. Set WORKSPACE_MCP_HOME to move the state directory.',
  EACCES: 'Permission denied. Change the owner or the mode of the directory.',
  EPERM: 'Permission denied. Change the owner or the mode of the directory.',
  ENOENT: 'A parent directory is missing and cannot be created. Create it.',
  ENOTDIR: 'There is a file where a directory is needed. Move it away.',
  EISDIR: 'There is a directory where a file is needed. Move it away.',
  EMFILE: 'Too many files are open in this program. Close some, or reload the window.',
};

/**
 * A file system error in plain words that say what to do, followed by the system's message. Other errors are unchanged.
 *
 * @param place path where it happened: the system's message does not always have it
 */
export function explained(error: unknown, place = ''): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const remedy = code === undefined ? undefined : REMEDIES[code];
  if (remedy === undefined || !message.includes(code ?? '')) return error as Error;
  const words = message.includes(place) ? message : `${message}, in ${place}`;
  return Object.assign(new Error(`${remedy} (${words})`, { cause: error }), { code });
}
