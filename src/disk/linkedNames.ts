import { basename, join, posix } from 'node:path';
import { comparable, isWithin, respelled } from '../core/paths.ts';
import { clock } from '../util/clock.ts';
import { type FoundLinks, type Link, LinkSearch } from './linkSearch.ts';
import type { NearDisk } from './localDirectories.ts';

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

export class LinkedNames {
  readonly #places: () => LinkPlaces;
  readonly #isListed: (name: string) => boolean;
  readonly #search: LinkSearch;
  #links: Promise<Links> | undefined;
  #until = 0;
  #last: { places: LinkPlaces; found: FoundLinks; links: Links } | undefined;

  /** @param isListed whether a rule has a folder of this name */
  constructor(near: NearDisk, places: () => LinkPlaces, isListed: (name: string) => boolean) {
    this.#places = places;
    this.#isListed = isListed;
    this.#search = new LinkSearch(near, isListed);
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
    const places = this.#places();
    const last = this.#last;
    if (last?.places === places && (await this.#search.wouldFind(last.found))) return last.links;
    const { deep, shallow } = places;
    const git = deep.flatMap((path) => IN_GIT.map((name) => join(path, name)));
    const found = await this.#search.in([
      [deep, LEVELS],
      [git, 0],
      [shallow, FEW_LEVELS],
    ]);
    const links = new Links(found, this.#isListed);
    this.#last = { places, found, links };
    return links;
  }
}

class Links {
  readonly #isListed: (name: string) => boolean;
  readonly #areAll: boolean;
  readonly #byTarget: ReadonlyMap<string, readonly Link[]>;

  constructor({ links, areAll }: FoundLinks, isListed: (name: string) => boolean) {
    this.#isListed = isListed;
    this.#areAll = areAll;
    this.#byTarget = Map.groupBy(links, ({ realPath }) => comparable(realPath, process.platform));
  }

  /** The path itself and the links to it, and whether those are all. @param path absolute, links resolved */
  namesOf(path: string): { names: readonly string[]; areAll: boolean } {
    /** With the links in each name. */
    const names = new Map<string, readonly Link[]>([[path, []]]);
    for (const [name, links] of names)
      for (const link of this.#linksTo(name)) {
        // Links may lead in circles.
        if (links.includes(link) || (links.length > 0 && this.#isIdle(link))) continue;
        const other = respelled(name, link.realPath, link.path, process.platform);
        if (names.has(other)) continue;
        if (names.size >= MOST_NAMES) return { names: [...names.keys()], areAll: false };
        names.set(other, [...links, link]);
      }
    return { names: [...names.keys()], areAll: this.#areAll };
  }

  /** Links to a path and to the folders above. */
  *#linksTo(path: string): Iterable<Link> {
    for (let at = comparable(path, process.platform); ; at = posix.dirname(at)) {
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
