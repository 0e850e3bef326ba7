import { resolve } from 'node:path';
import { WINDOW_VARIABLE } from '../../ipc/windowRecord.ts';
import { realPathOf } from '../../util/realPath.ts';
import type { WindowQuery } from './windowQuery.ts';

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
