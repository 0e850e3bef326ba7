import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { comparable, folded, isWithin, respelled } from '../core/paths.ts';
import { clock } from '../util/clock.ts';
import { type NearDisk, resolveLinks } from '../util/diskPaths.ts';
import { inParallel } from '../util/queues.ts';

/** How long links are cached, in milliseconds: an edit asks several times. */
const BELIEVED = 1_000;

/** Levels searched below a workspace folder, and below others. */
const LEVELS = 2;
const FEW_LEVELS = 1;

/** Folders of a Git directory with files that Git reads or runs, and that people replace by links. */
const IN_GIT = ['.git', '.git/hooks', '.git/info'];

/** Most names of one file: links may lead to folders with links. */
const MOST_NAMES = 1_000;

/** Places to search for links; all real paths. */
export interface LinkPlaces {
  deep: readonly string[];
  /** Others, such as the home directory. */
  shallow: readonly string[];
}

/** Most folders, and most links, on each level: an edit waits for them. */
const MOST = 5_000;
const AT_ONCE = 16;

/** A folder that changed less long ago, in milliseconds, may change again without another time of its change. */
const RECENT = 50;

interface Link {
  path: string;
  /** What it leads to, whether that exists or not. */
  realPath: string;
}

interface FoundLinks {
  links: readonly Link[];
  areAll: boolean;
  /** When each path had changed at which the search looked; undefined if no folder was there. */
  lookedAt: Looks;
}

/** Whether a rule has a folder of this name: these are searched first. */
type IsListed = (name: string) => boolean;

type Looks = Map<string, number | undefined>;

/** Paths of the links and folders in a folder. */
interface Folder {
  /** Milliseconds since the epoch. */
  changedAt: number;
  links: readonly string[];
  folders: readonly string[];
}

/** Finds the links that give files other names. */
export class LinkedNames {
  readonly #near: NearDisk;
  readonly #placesNow: () => LinkPlaces;
  readonly #isListed: IsListed;
  /** As last read. */
  readonly #folders = new Map<string, Folder>();
  #links: Promise<Links> | undefined;
  #until = 0;
  #last: { places: LinkPlaces; found: FoundLinks; links: Links } | undefined;

  constructor(near: NearDisk, placesNow: () => LinkPlaces, isListed: IsListed) {
    this.#near = near;
    this.#placesNow = placesNow;
    this.#isListed = isListed;
  }

  /** Call it when an agent has changed files: they are looked at again. */
  forget(): void {
    this.#links = undefined;
  }

  /** All links that are there. Never rejects. */
  now(): Promise<Links> {
    if (!this.#links || clock.now() >= this.#until) {
      this.#until = clock.now() + BELIEVED;
      this.#links = this.#find();
    }
    return this.#links;
  }

  async #find(): Promise<Links> {
    const places = this.#placesNow();
    const last = this.#last;
    if (last?.places === places && (await this.#wouldFind(last.found))) return last.links;
    const { deep, shallow } = places;
    const git = deep.flatMap((path) => IN_GIT.map((name) => join(path, name)));
    const lookedAt: Looks = new Map();
    const parts = await Promise.all([
      this.#linksBelow(deep, LEVELS, lookedAt),
      this.#linksBelow(git, 0, lookedAt),
      this.#linksBelow(shallow, FEW_LEVELS, lookedAt),
    ]);
    const areAll = parts.every((one) => one.areAll);
    const found = { links: parts.flatMap((one) => one.links), areAll, lookedAt };
    this.#last = { places, found, links: new Links(found, this.#isListed) };
    return this.#last.links;
  }

  /** Whether a search would find the same links again: no entries came or went, and each leads to where it led. */
  async #wouldFind({ links, lookedAt }: FoundLinks): Promise<boolean> {
    const paths = [...lookedAt.keys()];
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const some = paths.slice(at, at + AT_ONCE);
      const times = await timesOfChange(some);
      for (const [index, path] of some.entries()) if (times[index] !== lookedAt.get(path)) return false;
    }
    for (const { path, realPath } of links)
      if ((await this.#linkAt(path)).realPath !== realPath) return false;
    return true;
  }

  /**
   * Links in these folders, then in what has a leading dot there (`.vscode`, a folder or a link to one), then in all folders in
   * that.
   *
   * @param places real paths
   */
  async #linksBelow(places: readonly string[], levels: number, lookedAt: Looks) {
    const links: Link[] = [];
    /** Without the places themselves: if a link leads to one, more is searched in it. */
    const entered = new Set<string>();
    let [level, areAll] = [places, true];
    for (let at = 0; at <= levels; at++) {
      const found = await inParallel(level.slice(0, MOST), AT_ONCE, (path) => this.#look(path, lookedAt));
      const paths = found.flatMap((folder) => folder?.links ?? []);
      const here = await inParallel(paths.slice(0, MOST), AT_ONCE, (path) => this.#linkAt(path));
      areAll &&= level.length <= MOST && paths.length <= MOST;
      links.push(...here);
      const inside = found.flatMap((folder) => folder?.folders ?? []);
      const below = [...inside.map((path) => ({ path, realPath: path })), ...here];
      const next = at > 0 ? below : below.filter(({ path }) => basename(path).startsWith('.'));
      level = this.#notYet(entered, next);
    }
    return { links, areAll };
  }

  /** Real paths of folders that were not entered before. */
  #notYet(entered: Set<string>, all: readonly Link[]): string[] {
    const rank = ({ path }: Link) => (this.#isListed(basename(path)) ? 0 : 1);
    const sorted = all.length > MOST ? all.toSorted((a, b) => rank(a) - rank(b)) : all;
    return sorted.flatMap(({ realPath }) => {
      if (entered.has(realPath)) return [];
      entered.add(realPath);
      return [realPath];
    });
  }

  /** Reads a folder again only if entries came or went. Undefined if it cannot be read. */
  async #look(path: string, lookedAt: Looks): Promise<Folder | undefined> {
    const [changedAt] = await timesOfChange([path]);
    if (!lookedAt.has(path)) lookedAt.set(path, changedAt); // a later time would hide what the first look has missed
    if (changedAt === undefined) return undefined;
    const known = this.#folders.get(path);
    if (known?.changedAt === changedAt) return known;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    const folder = {
      changedAt,
      links: entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(path, name)),
      folders: entries.filter(isEntered).map(({ name }) => join(path, name)),
    };
    this.#folders.set(path, folder);
    return folder;
  }

  /** A broken link counts: what an agent creates there has its name. */
  async #linkAt(path: string): Promise<Link> {
    return { path, realPath: (await resolveLinks(this.#near, path)).realPath };
  }
}

/** The links as they were at a moment. */
class Links {
  readonly #byTarget: ReadonlyMap<string, readonly Link[]>;
  readonly #areAll: boolean;
  readonly #isListed: IsListed;

  constructor({ links, areAll }: FoundLinks, isListed: IsListed) {
    this.#byTarget = Map.groupBy(links, ({ realPath }) => keyOf(realPath));
    this.#areAll = areAll;
    this.#isListed = isListed;
  }

  /**
   * The path itself and the links to it, and whether those are all.
   *
   * @param path absolute, links resolved
   */
  namesOf(path: string): { names: readonly string[]; areAll: boolean } {
    /** With the links in each name. */
    const names = new Map<string, readonly Link[]>([[path, []]]);
    for (const [name, through] of names)
      for (const link of this.#linksTo(name)) {
        // Links may lead in circles.
        if (through.includes(link) || (through.length > 0 && this.#isIdle(link))) continue;
        const other = respelled(name, link.realPath, link.path, process.platform);
        if (names.has(other)) continue;
        if (names.size >= MOST_NAMES) return { names: [...names.keys()], areAll: false };
        names.set(other, [...through, link]);
      }
    return { names: [...names.keys()], areAll: this.#areAll };
  }

  /** Links to a path and to the folders above. */
  *#linksTo(path: string): Iterable<Link> {
    for (let at = keyOf(path); ; at = posix.dirname(at)) {
      yield* this.#byTarget.get(at) ?? [];
      if (posix.dirname(at) === at) return;
    }
  }

  /** Whether a link leads to a folder above itself, and adds a name to paths that no rule has. */
  #isIdle({ path, realPath }: Link): boolean {
    const name = basename(path);
    return !name.startsWith('.') && !this.#isListed(name) && isWithin(path, realPath, process.platform);
  }
}

/** In any case: some disks of Linux ignore it too. */
const keyOf = (path: string): string => folded(comparable(path, process.platform));

/** NaN, which equals nothing, if it was just now; undefined if no folder is there. */
async function timesOfChange(paths: readonly string[]): Promise<(number | undefined)[]> {
  const looking: Promise<Stats>[] = [];
  for (const path of paths) looking.push(stat(path));
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
