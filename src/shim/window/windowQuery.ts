import { resolve } from 'node:path';
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
