import { resolve } from 'node:path';
import { WINDOW_VARIABLE, type WindowRecord } from '../../ipc/windowRecord.ts';
import { realPathOf } from '../../util/realPath.ts';

export interface WindowQuery {
  /** Working directory of the agent. */
  cwd: string;
  /** Id that the person has named with `--window`. */
  windowId?: string;
  /** Directory that the person has named with `--workspace`. */
  workspace?: string;
  /** Id of the window in whose integrated terminal the agent runs. It may be of a window that is gone. */
  terminalWindowId?: string;
  /** Paths of the roots that the client declares, once it has said so. */
  roots?: readonly string[];
  /** The window that the agent had before, where it has gone; no other where the agent has selected it by itself. */
  before?: Pick<WindowRecord, 'id' | 'workspaceFolders'> & {
    isSelected?: boolean;
    /** The person has stopped its server. */
    isStopped?: boolean;
  };
  platform: NodeJS.Platform;
  /** Resolves symbolic links; returns the path itself where that is not possible. */
  realpath(path: string): string;
}

/** Windows that fit equally well: one that answers is taken, of several none but a favourite. */
export type Tier = readonly WindowRecord[];

/** What the person has named on the command line. */
export type Named = Pick<WindowQuery, 'windowId' | 'workspace'>;

/** What an agent that is started there asks for. */
export function queryOf(
  { windowId, workspace }: Named,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): WindowQuery {
  const terminalWindowId = env[WINDOW_VARIABLE];
  return {
    cwd,
    platform: process.platform,
    realpath: realPathOf,
    ...(windowId !== undefined && { windowId }),
    ...(workspace !== undefined && { workspace: resolve(cwd, workspace) }),
    ...(terminalWindowId !== undefined && { terminalWindowId }),
  };
}
