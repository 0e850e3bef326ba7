/** What makes a directory one of Git, whatever its name (gitrepository-layout). */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { asJudged, folded } from '../core/paths.ts';

export const look = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);

/** What is in a directory under a name; a link counts as a file. */
type Kind = 'file' | 'folder' | undefined;

export const kindOf = (stats: Stats | undefined): Kind => stats && (stats.isDirectory() ? 'folder' : 'file');

/** A worktree's has HEAD and `commondir`; others have objects, refs and HEAD. A config is dangerous even without HEAD. */
export async function hasParts(has: (part: string) => Kind | Promise<Kind>): Promise<boolean> {
  if ((await has('commondir')) === 'file' && (await has('HEAD')) === 'file') return true;
  if (!(await has('objects')) || !(await has('refs'))) return false;
  return (await has('HEAD')) === 'file' || (await has('config')) === 'file';
}

const PARTS = new Set(['commondir', 'head', 'objects', 'refs', 'config']);

/** Which part of a Git directory a path may be: some disks ignore case. */
function partAt(path: string): string | undefined {
  const name = folded(basename(asJudged(path, process.platform)));
  return PARTS.has(name) ? name : undefined;
}

/** Files and folders that are to be made: whether each is a folder, by its absolute path with all links resolved. */
export type Made = ReadonlyMap<string, boolean>;

/**
 * A directory that would become one of Git: its configuration can name programs, which Git runs as soon as VS Code looks at
 * the directory.
 */
export async function wouldBecomeGit(made: Made): Promise<string | undefined> {
  /** Two spellings may be one directory. */
  const groups = new Map<string, { directories: Set<string>; parts: Map<string, Kind> }>();
  const add = (path: string, kind: Kind) => {
    const part = partAt(path);
    if (!part) return;
    const key = folded(dirname(path));
    const group = groups.get(key) ?? { directories: new Set(), parts: new Map() };
    groups.set(key, group);
    group.directories.add(dirname(path));
    group.parts.set(part, kind);
  };
  for (const [path, isFolder] of made) {
    add(path, isFolder ? 'folder' : 'file');
    // Missing folders above are made as well.
    for (let at = dirname(path); !made.has(at) && !(await look(at)); at = dirname(at)) add(at, 'folder');
  }
  for (const { directories, parts } of groups.values())
    for (const directory of directories) {
      const has = async (name: string) =>
        parts.get(name.toLowerCase()) ?? kindOf(await look(join(directory, name)));
      if (await hasParts(has)) return directory;
    }
  return undefined;
}

/** @throws UserError if a directory would become one of Git, which is closed to agents */
export async function requireNoGit(made: Made): Promise<void> {
  const directory = await wouldBecomeGit(made);
  if (directory === undefined) return;
  throw new UserError(
    `Nothing was changed: ${directory} would become a Git directory, which can make Git run programs. Ask the user to do it.`,
  );
}
