import { fileURLToPath } from 'node:url';
import type { OpenWindow } from '../core/windowTools.ts';
import { isResponsive } from './dial.ts';
import type { WindowRecord } from './windowRecord.ts';

/** How long a window may take to answer, in milliseconds: longer than the limit for its workbench. */
const DEADLINE = 3_000;

/**
 * The windows of these records that answer with a responsive workbench, last focused first. Without the secrets of the
 * records (tokens, sockets).
 *
 * @param thisId id of the calling window, which is open
 */
export async function openWindows(records: readonly WindowRecord[], thisId?: string): Promise<OpenWindow[]> {
  const answers = await Promise.all(records.map((record) => record.id === thisId || isThere(record)));
  return records
    .filter((_, index) => answers[index])
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .map((record) => openWindowOf(record, thisId));
}

/** An unreachable window has crashed, or is on another machine that shares the home directory. */
const isThere = (record: WindowRecord): Promise<boolean> => isResponsive(record, DEADLINE).catch(() => false);

const openWindowOf = (record: WindowRecord, thisId: string | undefined): OpenWindow => ({
  id: record.id,
  folders: record.workspaceFolders.map(({ uri, name }) => ({ name, path: pathOf(uri) })),
  ide: `${record.ideName} ${record.ideVersion}`,
  trusted: record.trusted,
  focusedAt: record.focusedAt,
  isThis: record.id === thisId,
});

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri; // of another scheme, or of another machine
  }
}
