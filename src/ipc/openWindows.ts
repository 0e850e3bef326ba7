import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { attempt } from '../core/attempt.ts';
import type { OpenWindow } from '../core/windowTools.ts';
import { responds } from './dial.ts';
import { readRecords, type WindowRecord, windowsDirectory } from './windowRecord.ts';

/**
 * The windows of these records that answer with a responsive workbench, last focused first. Without the secrets of the
 * records (tokens, sockets).
 *
 * @param thisId id of the calling window, which is open
 */
export async function openWindows(records: readonly WindowRecord[], thisId?: string): Promise<OpenWindow[]> {
  const answers = await Promise.all(records.map((record) => record.id === thisId || responds(record)));
  return records
    .filter((_, index) => answers[index])
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .map((record) => openWindowOf(record, thisId));
}

/** A folder of another scheme, or of another machine, has its URI for its path. */
const openWindowOf = (record: WindowRecord, thisId: string | undefined): OpenWindow => ({
  id: record.id,
  folders: record.workspaceFolders.map(({ uri, name }) => ({
    name,
    path: attempt(() => fileURLToPath(uri)) ?? uri,
  })),
  ide: `${record.ideName} ${record.ideVersion}`,
  trusted: record.trusted,
  focusedAt: record.focusedAt,
  isThis: record.id === thisId,
});

/** The user's windows, for agents of one of them. @param home the state directory. @param id of that one */
export const windowsOf = (home: string, id: () => string | undefined) => ({
  list: () => openWindows(readRecords(home), id()),
  others: {
    has: () => readRecords(home).some((record) => record.id !== id()),
    watch: (onChange: () => void) => watchRecords(home, onChange),
  },
});

/** Calls `onChange` when a record comes or goes. Some file systems tell nothing. */
export function watchRecords(home: string, onChange: () => void): { close(): void; dispose(): void } {
  try {
    const watcher = watch(windowsDirectory(home), { persistent: false }, onChange).on('error', () => {});
    return { close: () => watcher.close(), dispose: () => watcher.close() };
  } catch {
    return { close() {}, dispose() {} }; // there is no such directory yet
  }
}
