import { type ChildProcessWithoutNullStreams, execFile } from 'node:child_process';
import crossSpawn from 'cross-spawn';
import { clock, delay } from '../../util/clock.ts';

const isWindows = process.platform === 'win32';

/** Time for an answer to the end of stdin, and then to SIGTERM, in milliseconds. */
const GRACE = 1_000;
const POLL = 20;

export interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. Windows programs need at least `SystemRoot` and `PATH`. */
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a program as leader of its own process group, so its children end with it. On Windows `npx` and `.cmd` files are
 * found and quoted as cmd.exe requires.
 */
export const startGroup = ({ command, args, cwd, env }: Command): ChildProcessWithoutNullStreams =>
  crossSpawn(command, [...args], {
    cwd,
    env,
    stdio: 'pipe',
    detached: !isWindows,
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams;

/**
 * Resolves once the group of a leader has ended: SIGTERM after GRACE ms, SIGKILL after another. Windows has no SIGTERM, and
 * there the children of a leader that has exited are not found.
 */
export async function endGroup(pid: number): Promise<void> {
  if (await isGoneWithin(pid, GRACE)) return;
  if (!isWindows) signalGroup(pid, 'SIGTERM');
  if (!isWindows && (await isGoneWithin(pid, GRACE))) return;
  signalGroup(pid, 'SIGKILL');
  await isGoneWithin(pid, GRACE);
}

async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  for (const deadline = clock.now() + ms; signalGroup(pid, 0); await delay(POLL))
    if (clock.now() > deadline) return false;
  return true;
}

/** @returns false if the group does not exist */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    if (isWindows && signal !== 0) execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {});
    else process.kill(isWindows ? pid : -pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it exists and belongs to another user
  }
}
