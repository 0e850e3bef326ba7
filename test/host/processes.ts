/** What runs on this machine; all but `isRunning` reads Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  group: number;
  command: string;
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** All processes that still run. Zombies are left out: they wait to be collected and hold nothing. */
export function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => describe(Number(pid)))
    .filter((process) => process !== undefined);
}

/** Processes with this text, a directory for instance, in their arguments or variables. */
export const processesMentioning = (text: string): RunningProcess[] =>
  runningProcesses().filter(
    ({ pid }) => read(pid, 'environ').includes(text) || read(pid, 'cmdline').includes(text),
  );

function describe(pid: number): RunningProcess | undefined {
  // "PID (NAME) STATE PARENT GROUP …", where the name may hold spaces and parentheses
  const [state, , group] = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  if (!state || !group || state === 'Z' || state === 'X') return undefined;
  return { pid, group: Number(group), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() };
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // ended meanwhile, or not ours to read
  }
}

/** Ends an extension host, if it has not ended: a page that is reloaded may be gone before it has told its own to. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {}
}
