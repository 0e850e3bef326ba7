/** The window that the extension announces, once it runs. */
import { realpathSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readRecord, readRecords, removeRecord, type WindowRecord } from '../../src/ipc/windowRecord.ts';
import { own } from '../../test/host/cleanup.ts';

/** Milliseconds from opening VS Code to the record of its window. */
const TIMEOUT = 90_000;

/**
 * Waits for a record of a window on `folder` that none of `earlier` is; ids may return, tokens do not.
 * @param ended resolves when VS Code ends: then nothing will come any more
 */
export async function awaitWindow(
  home: string,
  folder: string,
  earlier: WindowRecord[],
  ended: Promise<void>,
): Promise<WindowRecord> {
  const known = new Set(earlier.map(({ token }) => token));
  let running = true;
  void ended.finally(() => {
    running = false;
  });
  for (const deadline = Date.now() + TIMEOUT; Date.now() < deadline; await delay(100)) {
    const found = readRecords(home).find((record) => !known.has(record.token) && isOn(record, folder));
    if (found) return found;
    if (!running) throw new Error('VS Code ended before the extension had started in it.');
  }
  throw new Error(`VS Code is open, but the extension wrote no record of its window into ${home}.`);
}

function isOn({ workspaceFolders }: WindowRecord, folder: string): boolean {
  return workspaceFolders.some(({ uri }) => {
    try {
      return realpathSync(fileURLToPath(uri)) === folder;
    } catch {
      return false; // a folder that is not on this machine's disk
    }
  });
}

/** Sees to it that no record stays behind, even if the window's VS Code has to be ended by force. */
export function forgetAtTheEnd(home: string, current: () => WindowRecord | undefined): void {
  const forget = () => {
    const window = current();
    if (!window || readRecord(home, window.id)?.token !== window.token) return;
    removeRecord(home, window.id, window.token);
    if (!window.socketPath.startsWith('\\\\')) rmSync(window.socketPath, { force: true });
  };
  own({ close: async () => forget(), kill: forget });
}
