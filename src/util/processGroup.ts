import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../core/errors.ts';
import { clock, delay } from './clock.ts';
import { windowsProgram, windowsStart } from './windowsProgram.ts';

const isWindows = process.platform === 'win32';

/** Time that a process has to end, in milliseconds. */
export interface Grace {
  /** After the end of its stdin. */
  input: number;
  /** After SIGTERM. */
  term: number;
}

/** A server may have to stop what it started. */
export const GRACE: Grace = { input: 3_000, term: 5_000 };
/** When the window ends: VS Code ends its extension host 5 s later. */
export const LAST_GRACE: Grace = { input: 1_000, term: 3_000 };
/** Time for SIGKILL, in milliseconds. */
const KILLING = 1_000;
const POLL = 20;
/** Number of polls between looks for zombies. */
const LOOK = 25;

export interface ProcessCommand {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. Windows programs need at least `SystemRoot` and `PATH`. */
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a program as leader of its own process group, so its children end with it.
 *
 * @throws Error on Windows, as `windowsStart`
 */
export function startGroup({ command, args, cwd, env }: ProcessCommand): ChildProcessWithoutNullStreams {
  const options = { cwd, env, detached: !isWindows, windowsHide: true };
  if (!isWindows) return spawn(command, args, options);
  const { file, args: given, windowsVerbatimArguments } = windowsStart(command, args, { cwd, env });
  return spawn(file, given, { ...options, windowsVerbatimArguments });
}

/**
 * Resolves once the group of a leader has ended: SIGTERM, and SIGKILL, after the time that it has. Windows has no SIGTERM, and
 * there the children of a leader that has exited are not found.
 *
 * @param grace asked again and again: the window may end meanwhile
 * @returns whether it was killed
 */
export async function endGroup(pid: number, grace: () => Grace): Promise<boolean> {
  if (await isGoneWithin(pid, () => grace().input)) return false;
  if (!isWindows) signalGroup(pid, 'SIGTERM');
  if (!isWindows && (await isGoneWithin(pid, () => grace().term))) return false;
  signalGroup(pid, 'SIGKILL');
  await isGoneWithin(pid, () => KILLING);
  return true;
}

/**
 * Ends the group of a leader that still runs. Some starters, such as node-pty, do not wait until a child leads its group:
 * until then the child is alone, and gets the SIGTERM itself.
 */
export function stopGroup(pid: number, grace: Grace): void {
  if (signalGroup(pid, 0)) void endGroup(pid, () => grace);
  else attempt(() => process.kill(pid));
}

async function isGoneWithin(pid: number, ms: () => number): Promise<boolean> {
  const start = clock.now();
  for (let polls = 1; signalGroup(pid, 0); polls++) {
    if (polls % LOOK === 0 && areZombies(pid)) return true;
    if (clock.now() - start > ms()) return false;
    await delay(POLL);
  }
  return true;
}

/** Whether all of a group have ended, but nobody takes note of it, as in a container whose first process reaps none. Linux only. */
function areZombies(group: number): boolean {
  if (isWindows) return false; // Wine shows the /proc of Linux
  const isAlive = (pid: string) => {
    const [state, , of] = (/^\d+$/.test(pid) && procStat(pid)) || []; // the first and third field (proc(5))
    return of === `${group}` && state !== 'Z';
  };
  return attempt(() => !readdirSync('/proc').some(isAlive)) ?? false;
}

/** The fields of /proc/PID/stat behind the name of the program (proc(5), from field 3 on); undefined if the process has ended. Linux only. */
export function procStat(pid: number | string): string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** If taskkill fails, at least the process itself is ended. */
function killTree(pid: number): void {
  execFile(windowsProgram('taskkill.exe'), ['/pid', String(pid), '/T', '/F'], (error) => {
    if (error) attempt(() => process.kill(pid, 'SIGKILL'));
  });
}

/** @returns false if the group does not exist */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    if (isWindows && signal !== 0) killTree(pid);
    else process.kill(isWindows ? pid : -pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it exists and belongs to another user
  }
}
