import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SCREEN_COLUMNS } from './screen.ts';

/** Prints rows and columns of the terminal of a process ($0), and sets the columns to $2 if they are $1, or $1 is empty. */
const RESIZE = `tty=$(readlink "/proc/$0/fd/0" || echo "/dev/$(ps -o tty= -p "$0")") && set -- "$1" "$2" $(stty size <"$tty") &&
echo $4 && { [ -z "$1" ] || [ "$1" = "$4" ]; } && stty cols "$2" <"$tty"`;

/**
 * Makes a terminal of VS Code so wide that programs cut nothing; VS Code, which wraps, does not know of it. Not on Windows.
 *
 * @param pid of its shell
 * @returns what gives it the width back that it had, if VS Code has given it no other
 */
export async function widened(pid: number): Promise<() => void> {
  const before = (await resized(pid, '', SCREEN_COLUMNS))?.trim();
  return () => {
    if (before) void resized(pid, `${SCREEN_COLUMNS}`, before);
  };
}

async function resized(pid: number, from: string, to: number | string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const done = promisify(execFile)('/bin/sh', ['-c', RESIZE, `${pid}`, from, `${to}`]);
  return done.then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
