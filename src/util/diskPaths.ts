/** Paths as the disk has them. */
import { realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path with all links resolved; the path itself if it does not exist (yet). */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** What stands before the path in a URI of a file. */
const FILE = /^file:\/\/(?:localhost(?=\/))?/i;
/** VS Code's own client names folders of the remote machine, on which this process runs, by such URIs. */
const REMOTE = /^vscode-remote:\/\/[^/]+(?=\/)/i;

/** The paths that a URI of a file may mean if `#` and `?`, or `%` as well, stand for themselves in it; none for other URIs. */
export function literalPaths(uri: string, platform: NodeJS.Platform = process.platform): string[] {
  if (!FILE.test(uri)) return [];
  const path = uri.replace(FILE, '');
  const literal = platform === 'win32' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
  return [literal, decoded(literal)].filter((platform === 'win32' ? win32 : posix).isAbsolute);
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
  return isBare ? root : pathOf(uri, platform);
}

function pathOf(uri: string, platform: NodeJS.Platform): string | undefined {
  try {
    return fileURLToPath(uri.replace(/[#?]/g, encodeURIComponent), { windows: platform === 'win32' });
  } catch {
    return undefined; // the file of another machine
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
