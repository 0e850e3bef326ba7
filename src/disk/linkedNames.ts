import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isWithin, respelled } from '../core/paths.ts';
import { inParallel } from '../util/inParallel.ts';

/** How long links are cached, in milliseconds: an edit asks several times. */
const BELIEVED = 1_000;

/** Folders searched on each level, and how many at once: an edit waits for this. */
const MOST_FOLDERS = 500;
const AT_ONCE = 16;
/** Levels searched below a workspace folder, and below others. */
const LEVELS = 2;
const FEW_LEVELS = 1;

/** Most names of one file: links may form cycles. */
const MOST_NAMES = 100;

interface Link {
  path: string;
  realPath: string;
}

/** Paths of the links and folders in a folder. */
interface Folder {
  changedAt: number;
  links: readonly string[];
  folders: readonly string[];
}

/** Places to search for links; all real paths. */
export interface LinkPlaces {
  /** Workspace folders. */
  deep: readonly string[];
  /** Others, such as the home directory. */
  shallow: readonly string[];
}

/** Finds a file's other names through symbolic links. */
export class LinkedNames {
  readonly #places: () => LinkPlaces;
  /** As last read. */
  readonly #folders = new Map<string, Folder>();
  #links: Promise<Link[]> | undefined;
  #until = 0;

  constructor(places: () => LinkPlaces) {
    this.#places = places;
  }

  /** Call it when an agent has changed files: links are searched again. */
  forget(): void {
    this.#until = 0;
  }

  /** The path itself and the links to it. Never rejects. @param path absolute, links resolved */
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

  /** Searches these folders, then their folders with a leading dot (`.vscode`) and link targets, then below those. */
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

  /** Reads a folder again only if entries came or went. Undefined if it cannot be read. */
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

/** Links may lead to other links. */
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

/** Undefined if the link is broken. */
const linkAt = (path: string): Promise<Link | undefined> =>
  realpath(path).then(
    (realPath) => ({ path, realPath }),
    () => undefined,
  );

/** Skips packages, and `.git`, which is closed. */
const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
