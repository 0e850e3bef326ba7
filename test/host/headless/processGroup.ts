/** Child processes with all their children: started as a group of their own, and ended as one. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { own } from '../cleanup.ts';
import { ENDING } from '../patience.ts';
import { runningProcesses } from '../processes.ts';

export interface ProcessGroup {
  pid: number;
  child: ChildProcess;
  /** Resolves with the exit code once the first process of the group has ended. */
  exited: Promise<number>;
  /** Ends every process of the group. Safe to call more than once. */
  stop(): Promise<void>;
}

export async function spawnGroup(
  command: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<ProcessGroup> {
  const child = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const pid = child.pid as number;
  const stop = async () => {
    await stopGroup(pid);
    disown();
  };
  const disown = own({ close: stop, kill: () => signal(pid, 'SIGKILL') });
  return { pid, child, exited, stop };
}

async function stopGroup(pid: number): Promise<void> {
  signal(pid, 'SIGTERM');
  const deadline = Date.now() + ENDING;
  while (groupRuns(pid)) {
    if (Date.now() > deadline) signal(pid, 'SIGKILL');
    await delay(50);
  }
}

const groupRuns = (pid: number): boolean => runningProcesses().some(({ group }) => group === pid);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // nobody is left in the group
  }
}
