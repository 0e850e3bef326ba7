import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, respelled } from '../core/paths.ts';
import { inParallel } from '../util/inParallel.ts';

/** How long it is believed which links there are, in milliseconds: an edit asks several times. */
const BELIEVED = 1_000;

/** Folders looked through, how many at once, and after how many milliseconds no further level is begun. */
const MOST_FOLDERS = 10_000;
const AT_ONCE = 16;
const PATIENCE = 2_000;

/** Names by which one file is reached: links may lead in circles. */
const MOST_NAMES = 100;

interface Link {
  path: string;
  realPath: string;
}

/** What is in a folder, by their paths. */
interface Folder {
  changedAt: number;
  links: readonly string[];
  folders: readonly string[];
}

/** Where links are looked for; all real paths. */
export interface LinkPlaces {
  /** With all that is in them. */
  deep: readonly string[];
  /** With the folders directly in them. */
  shallow: readonly string[];
}

/** Knows by which names else, through symbolic links, a file is reached. */
export class LinkedNames {
  readonly #places: () => LinkPlaces;
  /** As they were when they were read last. */
  readonly #folders = new Map<string, Folder>();
  #links: Promise<Link[]> | undefined;
  #until = 0;

  constructor(places: () => LinkPlaces) {
    this.#places = places;
  }

  /** The path itself, and what leads to it. @param path absolute, links resolved. Never rejects. */
  async of(path: string): Promise<string[]> {
    if (performance.now() >= this.#until) {
      const { deep, shallow } = this.#places();
      this.#until = performance.now() + BELIEVED;
      this.#links = Promise.all([this.#linksIn(deep), this.#linksIn(shallow, 1)]).then((found) =>
        found.flat(),
      );
    }
    return namesOf(path, (await this.#links) ?? []);
  }

  /** Level by level: what is deep in a large workspace is the first that is left out. */
  async #linksIn(folders: readonly string[], depth = Number.POSITIVE_INFINITY): Promise<Link[]> {
    const links: Link[] = [];
    const until = performance.now() + PATIENCE;
    let left = MOST_FOLDERS;
    let level = folders;
    for (let at = 0; at <= depth && level.length > 0 && performance.now() < until; at++) {
      const found = await inParallel(level.slice(0, left), AT_ONCE, (path) => this.#look(path));
      left -= found.length;
      const paths = found.flatMap((folder) => folder?.links ?? []);
      links.push(...(await inParallel(paths, AT_ONCE, linkAt)).filter((link) => link !== undefined));
      level = found.flatMap((folder) => folder?.folders ?? []);
    }
    return links;
  }

  /** Reads it only if something has come or gone. Undefined if that cannot be done. */
  async #look(path: string): Promise<Folder | undefined> {
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
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
}

/** A link may lead to what another link leads to. */
function namesOf(path: string, links: readonly Link[]): string[] {
  const { platform } = process;
  const names = new Set([path]);
  for (const name of names) {
    for (const link of links) {
      if (names.size >= MOST_NAMES) return [...names];
      if (isWithin(name, link.realPath, platform))
        names.add(respelled(name, link.realPath, link.path, platform));
    }
  }
  return [...names];
}

/** Undefined if it leads nowhere. */
const linkAt = (path: string): Promise<Link | undefined> =>
  realpath(path).then(
    (realPath) => ({ path, realPath }),
    () => undefined,
  );

/** Packages' own files are theirs, and what is in `.git` is closed. */
const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
