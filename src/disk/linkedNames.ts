import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isWithin, respelled } from '../core/paths.ts';
import { inParallel } from '../util/inParallel.ts';

/** How long it is believed which links there are, in milliseconds: an edit asks several times. */
const BELIEVED = 1_000;

/** Folders looked through on each level, and how many at once: an edit waits for it. */
const MOST_FOLDERS = 500;
const AT_ONCE = 16;
/** Levels below a workspace folder, and below others. */
const LEVELS = 2;
const FEW_LEVELS = 1;

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
  /** Workspace folders. */
  deep: readonly string[];
  /** Others, such as the home directory. */
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
      this.#links = Promise.all([this.#linksIn(deep, LEVELS), this.#linksIn(shallow, FEW_LEVELS)]).then(
        (found) => found.flat(),
      );
    }
    return namesOf(path, (await this.#links) ?? []);
  }

  /** In these folders, then in those whose names begin with a dot (`.vscode`), in what links lead to, and below those. */
  async #linksIn(folders: readonly string[], levels: number): Promise<Link[]> {
    const links: Link[] = [];
    let level = folders;
    for (let at = 0; at <= levels; at++) {
      const found = await inParallel(level.slice(0, MOST_FOLDERS), AT_ONCE, (path) => this.#look(path));
      const paths = found.flatMap((folder) => folder?.links ?? []);
      const here = (await inParallel(paths, AT_ONCE, linkAt)).filter((link) => link !== undefined);
      const below = found.flatMap((folder) => folder?.folders ?? []);
      links.push(...here);
      level = [
        ...below.filter((path) => at > 0 || basename(path).startsWith('.')),
        ...here.map(({ realPath }) => realPath),
      ];
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
