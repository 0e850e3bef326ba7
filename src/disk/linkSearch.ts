import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inParallel } from '../util/queues.ts';
import { type NearDisk, resolveLinks } from './paths.ts';

/** Most folders, and most links, on each level: an edit waits for them. */
const MOST = 5_000;
const AT_ONCE = 16;

/** A folder that changed less long ago, in milliseconds, may change again without another time of its change. */
const RECENT = 50;

export interface Link {
  path: string;
  /** What it leads to, whether that exists or not. */
  realPath: string;
}

export interface FoundLinks {
  links: readonly Link[];
  areAll: boolean;
  /** When each path had changed at which the search looked; undefined if no folder was there. */
  lookedAt: ReadonlyMap<string, number | undefined>;
}

/** Whether a rule has a folder of this name: these are searched first. */
export type IsListed = (name: string) => boolean;

type Looks = Map<string, number | undefined>;

/** Paths of the links and folders in a folder. */
interface Folder {
  /** Milliseconds since the epoch. */
  changedAt: number;
  links: readonly string[];
  folders: readonly string[];
}

export function linkSearch(near: NearDisk, isListed: IsListed) {
  /** As last read. */
  const folders = new Map<string, Folder>();

  /** A broken link counts: what an agent creates there has its name. */
  const linkAt = async (path: string): Promise<Link> => ({
    path,
    realPath: (await resolveLinks(near, path)).realPath,
  });

  /** Reads a folder again only if entries came or went. Undefined if it cannot be read. */
  async function look(path: string, lookedAt: Looks): Promise<Folder | undefined> {
    const [changedAt] = await timesOfChange([[path]]);
    if (!lookedAt.has(path)) lookedAt.set(path, changedAt); // a later time would hide what the first look has missed
    if (changedAt === undefined) return undefined;
    const known = folders.get(path);
    if (known?.changedAt === changedAt) return known;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    const folder = {
      changedAt,
      links: entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(path, name)),
      folders: entries.filter(isEntered).map(({ name }) => join(path, name)),
    };
    folders.set(path, folder);
    return folder;
  }

  /** Real paths of folders that were not entered before. */
  function notYet(entered: Set<string>, all: readonly Link[]): string[] {
    const rank = ({ path }: Link) => (isListed(basename(path)) ? 0 : 1);
    const sorted = all.length > MOST ? all.toSorted((a, b) => rank(a) - rank(b)) : all;
    return sorted.flatMap(({ realPath }) => {
      if (entered.has(realPath)) return [];
      entered.add(realPath);
      return [realPath];
    });
  }

  /**
   * Links in these folders, then in what has a leading dot there (`.vscode`, a folder or a link to one), then in all folders in
   * that.
   *
   * @param places real paths
   */
  async function linksBelow(places: readonly string[], levels: number, lookedAt: Looks) {
    const links: Link[] = [];
    /** Without the places themselves: if a link leads to one, more is searched in it. */
    const entered = new Set<string>();
    let [level, areAll] = [places, true];
    for (let at = 0; at <= levels; at++) {
      const found = await inParallel(level.slice(0, MOST), AT_ONCE, (path) => look(path, lookedAt));
      const paths = found.flatMap((folder) => folder?.links ?? []);
      const here = await inParallel(paths.slice(0, MOST), AT_ONCE, linkAt);
      areAll &&= level.length <= MOST && paths.length <= MOST;
      links.push(...here);
      const inside = found.flatMap((folder) => folder?.folders ?? []);
      const below = [...inside.map((path) => ({ path, realPath: path })), ...here];
      level = notYet(entered, at > 0 ? below : below.filter(({ path }) => basename(path).startsWith('.')));
    }
    return { links, areAll };
  }

  return {
    /** All links in these places, each with how many levels below it are searched. Never rejects. */
    async all(
      searched: readonly (readonly [places: readonly string[], levels: number])[],
    ): Promise<FoundLinks> {
      const lookedAt: Looks = new Map();
      const found = await Promise.all(
        searched.map(([places, levels]) => linksBelow(places, levels, lookedAt)),
      );
      const areAll = found.every((one) => one.areAll);
      return { links: found.flatMap(({ links }) => links), areAll, lookedAt };
    },

    /** Whether a search would find the same links again: no entries came or went, and each leads to where it led. */
    async wouldFind({ links, lookedAt }: FoundLinks): Promise<boolean> {
      const looks = [...lookedAt];
      for (let at = 0; at < looks.length; at += AT_ONCE) {
        const some = looks.slice(at, at + AT_ONCE);
        const times = await timesOfChange(some);
        for (const [index, [, before]] of some.entries()) if (times[index] !== before) return false;
      }
      for (const { path, realPath } of links)
        if ((await resolveLinks(near, path)).realPath !== realPath) return false;
      return true;
    },
  };
}

/** NaN, which equals nothing, if it was just now; undefined if no folder is there. */
async function timesOfChange(
  paths: readonly (readonly [string, ...unknown[]])[],
): Promise<(number | undefined)[]> {
  const looking: Promise<Stats>[] = [];
  for (const [path] of paths) looking.push(stat(path));
  const times: (number | undefined)[] = [];
  for (const look of await Promise.allSettled(looking)) {
    const isFolder = look.status === 'fulfilled' && look.value.isDirectory();
    const at = isFolder ? look.value.ctimeMs : undefined;
    times.push(at !== undefined && Date.now() - at < RECENT ? Number.NaN : at);
  }
  return times;
}

/** Skips packages, and `.git`, of which little is searched. */
const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
