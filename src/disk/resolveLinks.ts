import { realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { parse, resolve, sep } from 'node:path';
import type { NearDisk } from './localDirectories.ts';

export interface Resolved {
  /** All links resolved, as far as the path can be followed. */
  realPath: string;
  /** Where not all of it does: what the system said. */
  error?: NodeJS.ErrnoException;
}

/** Links that lead to links: no system follows more. */
const MOST_LINKS = 40;

/**
 * The path with all links resolved, as far as they can be followed: so a link that leads outside is seen even where nothing
 * is at its end, or nothing that may be reached, and no answer tells what does exist there.
 */
export async function resolveLinks(near: NearDisk, path: string): Promise<Resolved> {
  try {
    if (near.has(path)) return { realPath: realpathSync.native(path) };
    const realPath = await realpath(path);
    if (realPath === path) void near.look(path);
    return { realPath };
  } catch (error) {
    return { realPath: await resolveReachable(path, MOST_LINKS), error: error as NodeJS.ErrnoException };
  }
}

/** What cannot be reached begins somewhere, and so is all after it: a deep path is not walked name by name. */
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
  // A link to nothing: what it names is what would be read, were it there.
  const target = links > 0 ? await readlink(bare + sep + name).catch(() => undefined) : undefined;
  if (target === undefined) return [bare, name, ...rest].join(sep);
  return resolveReachable(resolve(bare + sep, target, ...rest), links - 1);
}

export const isMissing = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR';
