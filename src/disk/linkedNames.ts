import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, respelled } from '../core/paths.ts';
import { inParallel } from '../util/inParallel.ts';

/** How long it is believed which links there are, in milliseconds. */
const BELIEVED = 10_000;

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
      this.#links = Promise.all([linksIn(deep), linksIn(shallow, 1)]).then((found) => found.flat());
    }
    return namesOf(path, (await this.#links) ?? []);
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

/** Level by level: what is deep in a large workspace is the first that is left out. */
async function linksIn(folders: readonly string[], depth = Number.POSITIVE_INFINITY): Promise<Link[]> {
  const links: Link[] = [];
  const until = performance.now() + PATIENCE;
  let left = MOST_FOLDERS;
  let level = folders;
  for (let at = 0; at <= depth && level.length > 0 && performance.now() < until; at++) {
    const looked = level.slice(0, left);
    left -= looked.length;
    const entries = (await inParallel(looked, AT_ONCE, entriesOf)).flat();
    const linked = entries.filter((entry) => entry.isSymbolicLink()).map(pathOf);
    links.push(...(await inParallel(linked, AT_ONCE, linkAt)).filter((link) => link !== undefined));
    level = entries.filter(isEntered).map(pathOf);
  }
  return links;
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => []);

const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name);

/** Packages' own files are theirs, and what is in `.git` is closed. */
const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';

/** Undefined if it leads nowhere. */
const linkAt = (path: string): Promise<Link | undefined> =>
  realpath(path).then(
    (realPath) => ({ path, realPath }),
    () => undefined,
  );
