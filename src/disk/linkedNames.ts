import { basename, join, posix } from 'node:path';
import { comparable, isWithin, respelled } from '../core/paths.ts';
import { clock } from '../util/clock.ts';
import { type FoundLinks, type IsListed, type Link, linkSearch } from './linkSearch.ts';
import type { NearDisk } from './paths.ts';

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

/** Finds the links that give files other names. */
export function linkedNames(near: NearDisk, placesNow: () => LinkPlaces, isListed: IsListed) {
  const search = linkSearch(near, isListed);
  let links: Promise<Links> | undefined;
  let until = 0;
  let last: { places: LinkPlaces; found: FoundLinks; links: Links } | undefined;

  async function find(): Promise<Links> {
    const places = placesNow();
    if (last?.places === places && (await search.wouldFind(last.found))) return last.links;
    const { deep, shallow } = places;
    const git = deep.flatMap((path) => IN_GIT.map((name) => join(path, name)));
    const found = await search.all([
      [deep, LEVELS],
      [git, 0],
      [shallow, FEW_LEVELS],
    ]);
    last = { places, found, links: linksIn(found, isListed) };
    return last.links;
  }

  return {
    /** Call it when an agent has changed files: they are looked at again. */
    forget(): void {
      links = undefined;
    },
    /** All links that are there. Never rejects. */
    now(): Promise<Links> {
      if (!links || clock.now() >= until) {
        until = clock.now() + BELIEVED;
        links = find();
      }
      return links;
    },
  };
}

type Links = ReturnType<typeof linksIn>;

/** The links as they were at a moment. */
function linksIn({ links, areAll }: FoundLinks, isListed: IsListed) {
  const byTarget = Map.groupBy(links, ({ realPath }) => comparable(realPath, process.platform));

  /** Links to a path and to the folders above. */
  function* linksTo(path: string): Iterable<Link> {
    for (let at = comparable(path, process.platform); ; at = posix.dirname(at)) {
      yield* byTarget.get(at) ?? [];
      if (posix.dirname(at) === at) return;
    }
  }

  /** Whether a link leads to a folder above itself, and adds a name to paths that no rule has. */
  function isIdle({ path, realPath }: Link): boolean {
    const name = basename(path);
    return !name.startsWith('.') && !isListed(name) && isWithin(path, realPath, process.platform);
  }

  return {
    /**
     * The path itself and the links to it, and whether those are all.
     *
     * @param path absolute, links resolved
     */
    namesOf(path: string): { names: readonly string[]; areAll: boolean } {
      /** With the links in each name. */
      const names = new Map<string, readonly Link[]>([[path, []]]);
      for (const [name, through] of names)
        for (const link of linksTo(name)) {
          // Links may lead in circles.
          if (through.includes(link) || (through.length > 0 && isIdle(link))) continue;
          const other = respelled(name, link.realPath, link.path, process.platform);
          if (names.has(other)) continue;
          if (names.size >= MOST_NAMES) return { names: [...names.keys()], areAll: false };
          names.set(other, [...through, link]);
        }
      return { names: [...names.keys()], areAll };
    },
  };
}
