import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../core/errors.ts';
import { procStat } from './processGroup.ts';

/** What a program waits for: that somebody types, or that the user answers Git's question in an input box of VS Code. */
export type AwaitedInput = 'typing' | 'git';

/** Numbers of the system calls that wait for input, by processor. */
const CALLS: Partial<Record<string, { read: number[]; select: number[]; epoll: number[] }>> = {
  x64: { read: [0], select: [23, 270], epoll: [232, 281, 441] },
  arm64: { read: [63], select: [72], epoll: [22, 441] },
};
/** The event of an epoll set that waits for input. */
const EPOLLIN = 1;

/**
 * What the programs in front of a terminal wait for, as the kernel of Linux tells it; null for nothing, undefined if that is not known.
 *
 * @param leader process of the shell that leads the session
 * @param hasPrompt something stands in front of the cursor. Without it only a program counts that does nothing else than wait
 * @param isShell the leader reads line after line: one that takes each key may have run its line, and wait for the next
 */
export function awaitedInput(
  leader: number,
  hasPrompt: boolean,
  isShell = false,
): AwaitedInput | null | undefined {
  const terminal = process.platform === 'linux' ? linkOf(leader, 0) : undefined;
  const [, , , session, , front] = procStat(leader) ?? []; // proc(5), from field 3 on
  if (!terminal || !session) return undefined;
  const waits = processesOf(session, front).map((pid) => {
    const wait = waitOf(pid, terminal, hasPrompt);
    return wait && isShell && pid === `${leader}` && takesKeys(terminal) ? undefined : wait;
  });
  return waits.find(Boolean) ?? (waits.includes(undefined) ? undefined : null);
}

/** @param front the group that may read the terminal; -1 behind pipes */
const processesOf = (session: string, front: string | undefined): string[] =>
  readdirSync('/proc').filter((pid) => {
    const [, , group, of] = (/^\d+$/.test(pid) && procStat(pid)) || [];
    return of === session && (front === '-1' || group === front);
  });

function waitOf(pid: string, terminal: string, hasPrompt: boolean): AwaitedInput | null | undefined {
  if (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes('askpass')) return 'git';
  // A program may have a thread that reads all the time, while it works.
  const threads = hasPrompt ? (attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []) : [pid];
  const waits = threads.map((thread) => isReading(pid, thread, terminal, hasPrompt));
  if (waits.includes(true)) return 'typing';
  return waits.includes(undefined) ? undefined : null;
}

/** Undefined if the system does not tell it, as of a program of another user. */
function isReading(pid: string, thread: string, terminal: string, hasPrompt: boolean): boolean | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'utf8'));
  const calls = CALLS[process.arch];
  if (line === undefined || !calls) return procStat(pid) ? undefined : false;
  const [call = -1, first = 0] = line.split(' ').map(Number);
  const isTerminal = (file: number) => [terminal, '/dev/tty'].includes(linkOf(pid, file) ?? '');
  if (calls.read.includes(call)) return isTerminal(first);
  const isWatching =
    (calls.select.includes(call) && first === 1 && isTerminal(0)) ||
    (calls.epoll.includes(call) && watched(pid, first).some(isTerminal));
  return isWatching && (hasPrompt || takesKeys(terminal));
}

/** The files of an epoll set in which input is waited for. */
const watched = (pid: string, set: number): number[] =>
  [
    ...(attempt(() => readFileSync(`/proc/${pid}/fdinfo/${set}`, 'utf8')) ?? '').matchAll(
      /tfd:\s*(\d+) events:\s*(\w+)/g,
    ),
  ]
    .filter(([, , events = '']) => Number.parseInt(events, 16) & EPOLLIN)
    .map(([, file]) => Number(file));

/** Whether a program gets each key at once, as menus do. */
function takesKeys(terminal: string): boolean {
  const file = attempt(() =>
    openSync(terminal, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK),
  );
  if (file === undefined) return false;
  const settings = attempt(() =>
    execFileSync('stty', ['-a'], { stdio: [file, 'pipe', 'ignore'], encoding: 'utf8' }),
  );
  closeSync(file);
  return settings?.includes('-icanon') === true;
}

const linkOf = (pid: string | number, file: number): string | undefined =>
  attempt(() => readlinkSync(`/proc/${pid}/fd/${file}`));
