import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { attempt } from '../core/errors.ts';

/** How programs are found and started on Windows, without a shell that reads their arguments. */

/** Path of a program of Windows. By its name alone, one of that name in the working directory would be run. */
export const windowsProgram = (name: string): string =>
  win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', name);

export const windowsPowerShell = (): string => windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe');

export interface WindowsStart {
  file: string;
  args: string[];
  /** Nothing quotes the arguments. */
  windowsVerbatimArguments: boolean;
}

/**
 * The program and arguments for `spawn`, which itself would not find `npx.cmd` for `npx`.
 *
 * @param env the program's whole environment, of which PATH and PATHEXT count
 * @throws Error with the code ENOENT if there is no such program; Error if cmd.exe cannot pass on an argument
 */
export function windowsStart(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): WindowsStart {
  const file = findProgram(command, cwd, env);
  if (file === undefined) throw Object.assign(new Error(`${command} was not found`), { code: 'ENOENT' });
  if (!/\.(bat|cmd)$/i.test(file)) return { file, args: [...args], windowsVerbatimArguments: false };
  const line = [file, ...args].map(quotedForBatch).join(' ');
  const switches = ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`];
  return { file: windowsProgram('cmd.exe'), args: switches, windowsVerbatimArguments: true };
}

/** A name is looked for on the PATH only: what is in the working directory may be of a repository. */
function findProgram(command: string, cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = (wanted: string) =>
    Object.entries(env).findLast(([name]) => name.toUpperCase() === wanted)?.[1] ?? '';
  const folders = /[\\/:]/.test(command) ? [cwd] : value('PATH').split(';').filter(win32.isAbsolute);
  const extensions = (value('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';');
  // npm has `npx`, for other systems, beside `npx.cmd`.
  const endings = win32.extname(command) === '' ? extensions : ['', ...extensions];
  return folders
    .flatMap((folder) => endings.map((ending) => win32.resolve(folder, command + ending.toLowerCase())))
    .find((path) => attempt(() => statSync(path).isFile()));
}

/**
 * An argument of a batch file, which passes it on by `%*`: cmd.exe reads it twice, so nothing may stand outside of quotes, and a
 * quote is written as two. `%cd:~,%` is empty, and keeps `%PATH%` from being replaced. Rust's standard library writes them so.
 */
export function quotedForBatch(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('a batch file (.cmd) takes no line breaks in its arguments');
  const escaped = text.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&');
  return `"${escaped.replaceAll('%', '%%cd:~,%')}"`;
}
