import { resolve } from 'node:path';
import { attempt } from '../../core/errors.ts';
import { comparable, isWithin } from '../../core/paths.ts';
import { WINDOW_VARIABLE, type WindowRecord } from '../../ipc/windowRecord.ts';
import { realPathOf } from '../../util/diskPaths.ts';

export interface WindowQuery {
  /** Working directory of the agent. */
  cwd: string;
  /** Window id from `--window`. */
  windowId?: string | undefined;
  /** Directory from `--workspace`. */
  workspace?: string | undefined;
  /** Id of the window in whose integrated terminal the agent runs. That window may have closed. */
  terminalWindowId?: string | undefined;
  /** Paths of the client roots, once they are known. */
  roots?: readonly string[];
  /** The agent's previous window. If the agent selected it, only this one matches. */
  before?: Pick<WindowRecord, 'id' | 'workspaceFolders'> & {
    isSelected?: boolean;
    /** The user has stopped its server. */
    isStopped?: boolean;
  };
  platform: NodeJS.Platform;
  /** Resolves symbolic links; returns the path itself if that fails. */
  realpath(path: string): string;
}

/** Windows that match equally well: one that answers is taken, among several only a favourite. */
export type Tier = readonly WindowRecord[];

/** The options of the command line that name a window. */
export type NamedWindow = Pick<WindowQuery, 'windowId' | 'workspace'>;

/** The query of an agent started in this directory and environment. */
export function queryOf(
  { windowId, workspace }: NamedWindow,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): WindowQuery {
  return {
    cwd,
    platform: process.platform,
    realpath: realPathOf,
    windowId,
    workspace: workspace && resolve(cwd, workspace),
    terminalWindowId: env[WINDOW_VARIABLE],
  };
}

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

/** Number of names in a path: 0 for the root. */
export const depthOf = (folder: string, platform: NodeJS.Platform): number =>
  comparable(folder, platform)
    .split('/')
    .filter((name) => name !== '').length;

/** The path of a `file:` URI, or undefined for another scheme, a broken URI, or on POSIX another machine's file. */
export const pathOfFileUri = (uri: string, platform: NodeJS.Platform): string | undefined =>
  attempt(() => {
    const { protocol, host, pathname } = new URL(uri);
    if (protocol !== 'file:') return undefined;
    const path = decodeURIComponent(pathname);
    if (platform !== 'win32') return host === '' ? path : undefined;
    return host === '' ? path.replace(/^\/(?=[a-z]:)/i, '') : `//${host}${path}`;
  });

/** One spelling for Windows paths, which may have a long-path prefix or either of two names for a WSL share. */
export const plainPath = (path: string, platform: NodeJS.Platform): string =>
  platform !== 'win32'
    ? path
    : path
        .replaceAll('\\', '/')
        .replace(
          /^\/\/[?.]\/(?:unc\/(.*)|([a-z]:.*))$/i,
          (_, unc?: string, drive?: string) => drive ?? `//${unc}`,
        )
        .replace(/^\/\/wsl\$\//i, '//wsl.localhost/');
