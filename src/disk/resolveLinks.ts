import { lstatSync, realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { parse, resolve, sep } from 'node:path';
import type { NearDisk } from './localDirectories.ts';

export interface Resolved {
  /** All links resolved, as far as the path is reachable. */
  realPath: string;
  /** The system's error if only a part is reachable. */
  error?: NodeJS.ErrnoException;
}

/** Longest chain of links; no system follows more. */
const MOST_LINKS = 40;

/**
 * Resolves all links as far as possible. A link that leads outside is found even if its target is missing or unreachable, so
 * no answer reveals which files exist there.
 */
export async function resolveLinks(near: NearDisk, path: string): Promise<Resolved> {
  try {
    // The folders above may have become links since `near` has looked.
    if (near.has(path) && !lstatSync(path).isSymbolicLink()) return { realPath: realpathSync.native(path) };
    const realPath = await realpath(path);
    if (realPath === path) void near.look(path);
    return { realPath };
  } catch (error) {
    return { realPath: await resolveReachable(path, MOST_LINKS), error: error as NodeJS.ErrnoException };
  }
}

/** Binary search for the first unreachable name: everything after it is unreachable too. @param links left to follow */
async function resolveReachable(path: string, links: number): Promise<string> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const upTo = (count: number) => root + names.slice(0, count).join(sep);
  let [reached, unreached, realPath] = [0, names.length, await realpath(root)];
  while (unreached - reached > 1) {
    const middle = (reached + unreached) >>> 1;
    const found = await realpath(upTo(middle)).catch(() => undefined);
    if (found === undefined) unreached = middle;
    else [reached, realPath] = [middle, found];
  }
  const [name = '', ...rest] = names.slice(reached);
  const bare = realPath.replace(/[\\/]$/, '');
  // A broken link: its target is the file that would be read.
  const target = links > 0 ? await readlink(bare + sep + name).catch(() => undefined) : undefined;
  if (target === undefined) return [bare, name, ...rest].join(sep);
  return resolveReachable(resolve(bare + sep, target, ...rest), links - 1);
}

export const isMissing = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR';
