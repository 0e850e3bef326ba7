import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files that are under version control or will be, relative to the repository. */
export const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))
    .sort();

const all = new Set(tracked().flatMap((path) => [path, ...foldersAbove(path)]));

/** Whether a file or folder is under version control or will be. */
export const isTracked = (path: string): boolean => all.has(path.replace(/\/$/, ''));

/** The folders that hold a file, the outermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
