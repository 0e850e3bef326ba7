import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readIfThere } from '../ipc/replaceFile.ts';
import { realPathOf } from '../util/diskPaths.ts';

/**
 * The name of a folder's project in `.claude.json`: the root of its Git repository, for a worktree that of the main one, with `/` on
 * Windows too; the folder itself if it is in none. As Claude Code 2.1 writes it.
 */
export function claudeProject(folder: string): string {
  const real = realPathOf(folder);
  const root = rootOf(real);
  return (root === undefined ? real : mainOf(root)).replaceAll('\\', '/');
}

/** The nearest directory with `.git`. */
function rootOf(directory: string): string | undefined {
  if (!isAbsolute(directory)) return undefined;
  if (existsSync(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : rootOf(parent);
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
