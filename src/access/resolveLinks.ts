import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { parse, sep } from 'node:path';
import type { NearDisk } from './nearDisk.ts';

export interface Resolved {
  /** All links resolved, as far as the path exists. */
  realPath: string;
  /** Where not all of it does: what the system said. */
  error?: NodeJS.ErrnoException;
}

/**
 * The path with all links resolved, as far as it exists: so a link that leads outside is seen even where nothing is at
 * its end, and no answer tells what does exist there. Errors other than that something is missing are thrown.
 */
export async function resolveLinks(near: NearDisk, path: string): Promise<Resolved> {
  try {
    if (near.has(path)) return { realPath: realpathSync.native(path) };
    const realPath = await realpath(path);
    if (realPath === path) void near.look(path);
    return { realPath };
  } catch (error) {
    if (!isMissing(error as NodeJS.ErrnoException)) throw error;
    return { realPath: await resolveExisting(path), error: error as NodeJS.ErrnoException };
  }
}

/** What is missing begins somewhere, and all after it is missing too: a deep path is not walked name by name. */
async function resolveExisting(path: string): Promise<string> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const upTo = (count: number) => root + names.slice(0, count).join(sep);
  let [existing, missing, realPath] = [0, names.length, await realpath(root)];
  while (missing - existing > 1) {
    const middle = (existing + missing) >>> 1;
    const found = await realpath(upTo(middle)).catch((error: NodeJS.ErrnoException) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined) missing = middle;
    else [existing, realPath] = [middle, found];
  }
  return [realPath.replace(/[\\/]$/, ''), ...names.slice(existing)].join(sep);
}

export const isMissing = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR';
