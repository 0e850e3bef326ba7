/** How a directory relates to the folders of windows. */
import { isWithin } from '../../core/paths.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { depthOf, pathOfFileUri, plainPath } from './fileUris.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

/** The windows with a folder that is or contains a directory, grouped by depth, deepest first. */
export function holding(records: readonly WindowRecord[], directory: string, query: WindowQuery): Tier[] {
  const byDepth = new Map<number, WindowRecord[]>();
  for (const record of records) {
    const depth = Math.max(
      ...spellings(record, directory, query).map((pair) => depthHolding(...pair, query)),
    );
    if (depth >= 0) byDepth.set(depth, [...(byDepth.get(depth) ?? []), record]);
  }
  return [...byDepth].sort(([a], [b]) => b - a).map(([, tier]) => tier);
}

/** Whether a folder of the window is below the working directory. */
export const isBelow = (record: WindowRecord, query: WindowQuery): boolean =>
  spellings(record, query.cwd, query).some(
    ([folder, cwd]) => depthHolding(folder, cwd, query) < 0 && isWithin(folder, cwd, query.platform),
  );

/** Depth of a folder that is or contains a directory, 0 for the root; −1 if it does not. */
const depthHolding = (folder: string, directory: string, { platform }: WindowQuery): number =>
  isWithin(directory, folder, platform) ? depthOf(folder, platform) : -1;

/** Each folder of a window with the directory: both as spelled, and both with links resolved. */
function spellings(
  { workspaceFolders }: WindowRecord,
  directory: string,
  { platform, realpath }: WindowQuery,
): [folder: string, directory: string][] {
  const folders = workspaceFolders
    .map(({ uri }) => pathOfFileUri(uri, platform))
    .filter((path) => path !== undefined);
  const plain = (path: string) => plainPath(path, platform);
  return folders.flatMap((folder): [string, string][] => [
    [plain(folder), plain(directory)],
    [plain(realpath(folder)), plain(realpath(directory))],
  ]);
}
