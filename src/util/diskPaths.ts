/** Paths as the disk has them. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../core/errors.ts';
import { percentDecoded } from '../core/paths.ts';

/** The path with all links resolved; the path itself if it does not exist (yet). */
export const realPathOf = (path: string): string => attempt(() => realpathSync.native(path)) ?? path;

/** What stands before the path in a URI of a file. */
const FILE = /^file:\/\/(?:localhost(?=\/))?/i;
/** VS Code's own client names folders of the remote machine, on which this process runs, by such URIs. */
const REMOTE = /^vscode-remote:\/\/[^/]+(?=\/)/i;

/** The paths that a URI of a file may mean if `#` and `?`, or `%` as well, stand for themselves in it; none for other URIs. */
export function literalPaths(uri: string, platform: NodeJS.Platform = process.platform): string[] {
  if (!FILE.test(uri)) return [];
  const path = uri.replace(FILE, '');
  const literal = platform === 'win32' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
  return [literal, percentDecoded(literal)].filter((platform === 'win32' ? win32 : posix).isAbsolute);
}

/**
 * The directory that a client names as a root: by a URI, or as some do by a bare path, or by a URI in which `#`, `?` or `%` stand
 * for themselves. What is there decides. Undefined if it can be no directory of this machine.
 */
export function rootPath(root: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const isBare = platform === 'win32' ? /^([a-z]:)?[\\/]/i.test(root) : root.startsWith('/');
  const uri = root.replace(REMOTE, 'file://');
  const found = (isBare ? [root] : literalPaths(uri, platform).toReversed()).find(isDirectory);
  if (found !== undefined || uri !== root) return found;
  if (isBare) return root;
  // It throws for the file of another machine.
  return attempt(() =>
    fileURLToPath(uri.replace(/[#?]/g, encodeURIComponent), { windows: platform === 'win32' }),
  );
}

export const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false;

/** The names in a directory; none if it cannot be read. */
export const entryNamesIn = (directory: string): string[] => attempt(() => readdirSync(directory)) ?? [];

/** The content of a file; undefined if it is missing or cannot be read. */
export const readIfThere = (path: string): Buffer | undefined => attempt(() => readFileSync(path));

/** The top of the repository that a directory is in; undefined if it is in none. @param directory absolute */
export function repositoryOf(directory: string): string | undefined {
  for (const at of upFrom(directory)) if (existsSync(join(at, '.git'))) return at;
  return undefined;
}

/** A path and the directories above it, to the root. */
export function* upFrom(path: string): Generator<string> {
  for (let at = path; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
