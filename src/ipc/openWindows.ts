import { fileURLToPath } from 'node:url';
import { attempt } from '../core/errors.ts';
import type { OpenWindow } from '../core/windowTools.ts';
import { responds } from './dial.ts';
import type { WindowRecord } from './windowRecord.ts';

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
