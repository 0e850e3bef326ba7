/** Where agents keep their configuration. */

import { basename, dirname, isAbsolute, join, posix, resolve, win32 } from 'node:path';
import { readIfThere, realPathOf, repositoryOf } from '../util/diskPaths.ts';
import type { Format } from './formats/format.ts';
import { json } from './formats/json.ts';
import type { Machine, Place, PlaceScope } from './program.ts';

type Join = (...names: string[]) => string;
/** The candidates; undefined for one that this machine does not have. */
type Files = (machine: Machine, join: Join) => (string | undefined)[];

export const place = (scope: PlaceScope, format: Format, files: Files, field: string): Place => ({
  scope,
  format,
  files: filesBy(files),
  path: () => [field],
});

export const filesBy =
  (files: Files): Place['files'] =>
  (machine) =>
    files(machine, machine.platform === 'win32' ? win32.join : posix.join).filter(
      (file) => file !== undefined,
    );

/** JSON whose servers are in a top-level object. */
export const jsonPlace = (scope: PlaceScope, files: Files, field = 'mcpServers'): Place =>
  place(scope, json, files, field);

/** JSON of a project that others can use too. @param home see {@link Place.home} */
export const shared = (home: NonNullable<Place['home']>, files: Files, field?: string): Place => ({
  ...jsonPlace('project', files, field),
  home,
});

const variable = (name: string): string => `$\{${name}}`;

/** The home directory in configurations of VS Code and its relatives. */
export const userHome = (): string => variable('userHome');

/** The home directory for agents that know only environment variables: Windows does not set HOME. */
export const home =
  (text = variable('HOME')) =>
  ({ platform }: Machine): string | undefined =>
    platform === 'win32' ? undefined : text;

const below =
  (top: 'folder' | 'home' | 'userData') =>
  (...names: string[]): Files =>
  ({ [top]: directory }, join) => [directory === undefined ? undefined : join(directory, ...names)];

export const inProject = below('folder');

export const inHome = below('home');

export const inUserData = below('userData');

/** Below the directory that a variable names, or else below one of the home directory. */
export const movedBy =
  (variable: string, usual: readonly string[], ...names: string[]): Files =>
  ({ home, env }, join) => [join(env[variable] || join(home, ...usual), ...names)];

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

/**
 * The name of a folder's project in `.claude.json`: the root of its Git repository, for a worktree that of the main one, with `/` on
 * Windows too; the folder itself if it is in none. As Claude Code 2.1 writes it.
 */
export function claudeProject(folder: string): string {
  const real = realPathOf(folder);
  const root = isAbsolute(real) ? repositoryOf(real) : undefined;
  return (root === undefined ? real : mainOf(root)).replaceAll('\\', '/');
}

/** The main worktree's root: the `.git` file of another names its Git directory, which names the common one. */
function mainOf(root: string): string {
  const [, own] = /^gitdir: (.+)/.exec(textOf(join(root, '.git'))) ?? [];
  if (own === undefined) return root;
  const common = textOf(join(resolve(root, own), 'commondir')).trim();
  const directory = resolve(root, own, common);
  return common !== '' && basename(directory) === '.git' ? dirname(directory) : root;
}

const textOf = (file: string): string => readIfThere(file)?.toString('utf8') ?? '';
