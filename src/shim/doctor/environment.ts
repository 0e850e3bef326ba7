import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { HOME_VARIABLE, isWindowId, WINDOW_VARIABLE } from '../../ipc/windowRecord.ts';
import { WAIT_VARIABLE } from '../commandLine.ts';
import type { Seen } from './probe.ts';
import { type Finding, ok, type Section, warn } from './report.ts';

/** The variables that say where things are: agents pass on few, so they may differ from those of a terminal. */
export const environmentSection = (env: NodeJS.ProcessEnv, seen: readonly Seen[]): Section => ({
  title: 'Environment',
  findings: [
    HOME_VARIABLE,
    WINDOW_VARIABLE,
    WAIT_VARIABLE,
    ...(process.platform === 'win32' ? [] : ['XDG_RUNTIME_DIR']),
  ].map((name) => variableFinding(name, env[name], seen)),
});

function variableFinding(name: string, value: string | undefined, seen: readonly Seen[]): Finding {
  if (!value) return ok(`${name} is not set.`);
  const problem = CHECKS[name]?.(value, seen);
  return problem === undefined ? ok(`${name}=${value}`) : warn(`${name}=${value}: ${problem}`);
}

const CHECKS: Record<string, (value: string, seen: readonly Seen[]) => string | undefined> = {
  [HOME_VARIABLE]: (value) =>
    isAbsolute(value) ? undefined : 'it depends on the working directory. Name an absolute path.',
  [WINDOW_VARIABLE]: (value, seen) => {
    if (!isWindowId(value)) return 'it is not the id of a window, and is passed over.';
    return seen.some(({ record, answers }) => record.id === value && answers)
      ? undefined
      : 'that window is not open, and is passed over. Open a new terminal.';
  },
  [WAIT_VARIABLE]: (value) =>
    Number(value) >= 0 ? undefined : 'it is not a number of seconds, and is passed over.',
  XDG_RUNTIME_DIR: (value) =>
    isDirectory(value) ? undefined : 'it is not a directory. The temporary directory is used instead.',
};

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
