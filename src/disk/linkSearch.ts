import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inParallel } from '../util/inParallel.ts';
import type { NearDisk } from './localDirectories.ts';
import { resolveLinks } from './resolveLinks.ts';

/** Most folders, and most links, on each level: an edit waits for them. */
const MOST = 5_000;
const AT_ONCE = 16;

export interface Link {
  path: string;
  /** What it leads to, whether that exists or not. */
  realPath: string;
}

export interface FoundLinks {
  links: readonly Link[];
  /** Whether no limit was hit. */
  areAll: boolean;
}

/** Paths of the links and folders in a folder. */
interface Folder {
  changedAt: number;
  links: readonly string[];
  folders: readonly string[];
}

/** Searches folders for links. */
export class LinkSearch {
  readonly #near: NearDisk;
  readonly #isListed: (name: string) => boolean;
  /** As last read. */
  readonly #folders = new Map<string, Folder>();

  /** @param isListed whether a rule has a folder of this name: these are searched first */
  constructor(near: NearDisk, isListed: (name: string) => boolean) {
    this.#near = near;
    this.#isListed = isListed;
  }

  /**
   * Links in these folders, then in what has a leading dot there (`.vscode`, a folder or a link to one), then in all folders in
   * that. Never rejects.
   *
   * @param places real paths
   */
  async in(places: readonly string[], levels: number): Promise<FoundLinks> {
    const links: Link[] = [];
    /** Without the places themselves: if a link leads to one, more is searched in it. */
    const entered = new Set<string>();
    let [level, areAll] = [places, true];
    for (let at = 0; at <= levels; at++) {
      const found = await inParallel(level.slice(0, MOST), AT_ONCE, (path) => this.#look(path));
      const paths = found.flatMap((folder) => folder?.links ?? []);
      const here = await inParallel(paths.slice(0, MOST), AT_ONCE, (path) => this.#linkAt(path));
      areAll &&= level.length <= MOST && paths.length <= MOST;
      links.push(...here);
      const folders = found.flatMap((folder) => folder?.folders ?? []);
      const below = [...folders.map((path) => ({ path, realPath: path })), ...here];
      level = this.#notYet(
        entered,
        at > 0 ? below : below.filter(({ path }) => basename(path).startsWith('.')),
      );
    }
    return { links, areAll };
  }

  /** Real paths of folders that were not entered before. */
  #notYet(entered: Set<string>, folders: readonly Link[]): string[] {
    const rank = ({ path }: Link) => (this.#isListed(basename(path)) ? 0 : 1);
    const sorted = folders.toSorted((a, b) => rank(a) - rank(b));
    return sorted.flatMap(({ realPath }) => {
      if (entered.has(realPath)) return [];
      entered.add(realPath);
      return [realPath];
    });
  }

  /** Reads a folder again only if entries came or went. Undefined if it cannot be read. */
  async #look(path: string): Promise<Folder | undefined> {
    const changedAt = await stat(path).then(
      (stats) => (stats.isDirectory() ? stats.mtimeMs : undefined),
      () => undefined,
    );
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

/** Skips packages, and `.git`, of which little is searched. */
const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
