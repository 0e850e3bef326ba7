/** Where agents keep their configuration. */
import { posix, win32 } from 'node:path';
import type { Machine, Place, Scope } from './program.ts';

type Join = (...names: string[]) => string;
/** The candidates; undefined for one that this machine does not have. */
type Files = (machine: Machine, join: Join) => (string | undefined)[];

export const place = (
  scope: Scope,
  format: Place['format'],
  files: Files,
  path: readonly string[],
): Place => ({
  scope,
  format,
  files: (machine) =>
    files(machine, machine.platform === 'win32' ? win32.join : posix.join).filter(
      (file) => file !== undefined,
    ),
  path: () => [...path],
});

/** JSON whose servers are in a top-level object. */
export const json = (scope: Scope, files: Files, field = 'mcpServers'): Place =>
  place(scope, 'json', files, [field]);

/** JSON of a project that others can use too. @param home see {@link Place.home} */
export const shared = (home: NonNullable<Place['home']>, files: Files, field?: string): Place => ({
  ...json('project', files, field),
  home,
});

const variable = (name: string): string => `$\{${name}}`;

/** The home directory in configurations of VS Code and its relatives. */
export const userHome = (): string => variable('userHome');

/** The same for agents that know only variables of the environment: Windows does not set this one. */
export const home =
  (text = variable('HOME')) =>
  ({ platform }: Machine): string | undefined =>
    platform === 'win32' ? undefined : text;

/** Below the workspace folder. */
export const inFolder =
  (...names: string[]): Files =>
  ({ folder }, join) => [folder === undefined ? undefined : join(folder, ...names)];

/** Below the home directory. */
export const inHome =
  (...names: string[]): Files =>
  ({ home }, join) => [join(home, ...names)];

/** Below the directory that a variable names, or else below one of the home directory. */
export const movedBy =
  (variable: string, usual: readonly string[], ...names: string[]): Files =>
  ({ home, env }, join) => [join(env[variable] || join(home, ...usual), ...names)];

/** Below VS Code's folder `User`. */
export const inUserData =
  (...names: string[]): Files =>
  ({ userData }, join) => [userData === undefined ? undefined : join(userData, ...names)];

/** Below the directory for configuration: on Windows that of roaming data, elsewhere that of XDG, also on macOS. */
export const inConfig =
  (windows: readonly string[], others: readonly string[]): Files =>
  (machine, join) =>
    machine.platform === 'win32'
      ? [join(roaming(machine, join), ...windows)]
      : [join(machine.env.XDG_CONFIG_HOME || join(machine.home, '.config'), ...others)];

/** Below the directory where Electron keeps the data of apps. */
export const inAppData =
  (...names: string[]): Files =>
  (machine, join) =>
    machine.platform === 'darwin'
      ? [join(machine.home, 'Library', 'Application Support', ...names)]
      : inConfig(names, names)(machine, join);

const roaming = ({ env, home }: Machine, join: Join): string =>
  env.APPDATA || join(home, 'AppData', 'Roaming');

/** Several candidates: the first that exists is used, or the last if none does. */
export const firstOf =
  (...all: Files[]): Files =>
  (machine, join) =>
    all.flatMap((files) => files(machine, join));
