import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { within } from '../../util/clock.ts';
import { endGroup, stopGroup } from '../../util/processGroup.ts';
import { windowsPowerShell } from '../../util/windowsProgram.ts';
import type { RunEnd } from './agentRun.ts';
import { vscodeModule } from './vscodeModule.ts';

export interface ShellCommand {
  line: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Its size in characters, if it is shown in a terminal. */
  columns: number;
  rows: number;
}

export interface CommandProcess {
  readonly pid: number;
  /** Whether the program sees a terminal. */
  readonly isTerminal: boolean;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Lets it print no more than is on the way, until it is told to go on. */
  setPaused(isPaused: boolean): void;
  /** SIGTERM, and SIGKILL after a while, to the whole group. */
  stop(): void;
}

export interface Listener {
  onData(text: string): void;
  /** Nothing of its group runs any more. */
  onEnd(end: RunEnd): void;
}

/** Between SIGTERM and SIGKILL, in milliseconds. What the command has left in the background has as long to end. */
const GRACE = { input: 100, term: 3_000 };
/** For output of the group that is still in the pipe; a process that has left the group may hold the pipe for ever. */
const DRAIN = 1_000;

/** What of node-pty is used: the terminal of VS Code's own terminals. */
interface Pty {
  pid: number;
  onData(listener: (data: string) => void): unknown;
  onExit(listener: (end: { exitCode: number; signal?: number }) => void): unknown;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
}
interface NodePty {
  /** @param args a text on Windows only: it is passed on as it is */
  spawn(file: string, args: readonly string[] | string, options: object): Pty;
}

/**
 * Starts a command line in a shell: in a terminal of its own if VS Code's node-pty is found, else behind pipes.
 *
 * @param appRoot where VS Code is
 * @throws Error if the shell cannot be started
 */
export function startCommand(
  command: ShellCommand,
  shell: string,
  appRoot: string,
  to: Listener,
): CommandProcess {
  const program = shellFor(shell);
  const pty = vscodeModule<NodePty>(appRoot, 'node-pty');
  return pty ? inTerminal(pty, command, program, to) : behindPipes(command, program, to);
}

interface ShellProgram {
  file: string;
  args(line: string): readonly string[];
  /** Nothing quotes the arguments: cmd.exe reads the rest of its command line itself. */
  isVerbatim?: boolean;
}

const LIKE_SH = ['bash', 'zsh', 'sh', 'dash', 'ksh'];

/** By itself PowerShell ends with 1 whatever code a program ended with. */
const EXIT = 'if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }';

/** The shell that understands what agents write: the user's own if it is like the Bourne shell, PowerShell or cmd.exe. */
export function shellFor(shell: string, platform = process.platform): ShellProgram {
  const name = basename(shell.replaceAll('\\', '/'))
    .replace(/\.exe$/i, '')
    .toLowerCase();
  if (LIKE_SH.includes(name) || platform !== 'win32')
    return { file: LIKE_SH.includes(name) ? shell : '/bin/sh', args: (line) => ['-c', line] };
  if (name === 'cmd') return { file: shell, args: cmdArguments, isVerbatim: true };
  const file = name === 'pwsh' || name === 'powershell' ? shell : windowsPowerShell();
  return { file, args: (line) => ['-NoProfile', '-Command', `${line}\n${EXIT}`] };
}

/** @throws UserError for several lines: cmd.exe would run the first one only */
function cmdArguments(line: string): readonly string[] {
  if (line.includes('\n'))
    throw new UserError(
      'cmd.exe, the shell of this window, takes one line. Join the commands with "&&" or "&".',
    );
  return ['/d', '/s', '/c', `"${line}"`];
}

function inTerminal(
  pty: NodePty,
  { line, cwd, env, columns, rows }: ShellCommand,
  { file, args, isVerbatim }: ShellProgram,
  { onData, onEnd }: Listener,
): CommandProcess {
  const options = { name: 'xterm-256color', cols: columns, rows, cwd, env, encoding: 'utf8' };
  const child = pty.spawn(file, isVerbatim ? args(line).join(' ') : args(line), options);
  child.onData(onData);
  child.onExit(({ exitCode, signal }) => {
    const end = signal ? { signal: nameOf(signal) } : { exitCode };
    void endRest(child.pid).then((rest) => onEnd({ ...end, ...rest }));
  });
  return {
    pid: child.pid,
    isTerminal: true,
    write: (text) => child.write(text),
    resize: (...size) => child.resize(...size),
    setPaused: (isPaused) => (isPaused ? child.pause() : child.resume()),
    stop: () => stopGroup(child.pid, GRACE),
  };
}

function behindPipes(
  { line, cwd, env }: ShellCommand,
  { file, args, isVerbatim = false }: ShellProgram,
  { onData, onEnd }: Listener,
): CommandProcess {
  const detached = process.platform !== 'win32';
  const own = { detached, windowsHide: true, windowsVerbatimArguments: isVerbatim };
  const child = spawn(file, args(line), { cwd, env, ...own });
  const pid = child.pid ?? 0;
  child.stdin.on('error', () => {}); // it reads no more
  child.stdout.setEncoding('utf8').on('data', onData);
  child.stderr.setEncoding('utf8').on('data', onData);
  child.on('error', (error) => onEnd({ failed: error.message }));
  const closed = once(child, 'close').catch(() => {});
  child.on('exit', async (code, signal) => {
    const rest = await endRest(pid);
    await within(closed, DRAIN, undefined);
    onEnd({ ...(signal ? { signal } : { exitCode: code ?? 0 }), ...rest });
  });
  return {
    pid,
    isTerminal: false,
    write: (text) => void child.stdin.write(text),
    resize: () => {},
    setPaused: (isPaused) => {
      for (const stream of [child.stdout, child.stderr]) isPaused ? stream.pause() : stream.resume();
    },
    stop: () => stopGroup(pid, GRACE),
  };
}

/** Ends what a command has left in the background. */
async function endRest(pid: number): Promise<Pick<RunEnd, 'hadRest'>> {
  let hadRest = false;
  await endGroup(pid, () => ({
    ...GRACE,
    get term() {
      hadRest = true; // only asked for then
      return GRACE.term;
    },
  }));
  return hadRest ? { hadRest } : {};
}

const nameOf = (signal: number): string =>
  Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;
