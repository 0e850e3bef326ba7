import { Minimatch } from 'minimatch';
import { ignoresCase, inside, isWithin } from '../core/paths.ts';
import type { AccessSettings } from './accessSettings.ts';
import type { Operation } from './operation.ts';

/** A workspace folder for the policy. The path of a folder in a virtual file system is `scheme://authority/path`. */
export interface PolicyFolder {
  /** As the user opened it. `realPath` has all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
  /** Its file system ignores case, although the platform's usual ones do not. */
  ignoresCase?: boolean;
}

/**
 * The folders and settings of a window, and what they say of a path; in nested folders, each folder's settings narrow. Never
 * changed: others replace them when VS Code tells that folders, settings or trust have changed.
 */
export class AccessRules {
  readonly folders: readonly PolicyFolder[];
  /** For paths outside all folders. */
  readonly settings: AccessSettings;
  readonly isTrusted: boolean;
  /** Any folder takes an operation away from the whole window. */
  readonly operations: ReadonlySet<Operation>;
  /** Whether `deniedPaths` closes anything. */
  readonly denies: boolean;
  readonly #platform: NodeJS.Platform;
  /** Each glob is compiled once. */
  readonly #compiled = new Map<string, readonly Minimatch[]>();

  constructor(
    { folders, settings, isTrusted }: Pick<AccessRules, 'folders' | 'settings' | 'isTrusted'>,
    platform: NodeJS.Platform,
  ) {
    this.folders = folders;
    this.settings = settings;
    this.isTrusted = isTrusted;
    this.#platform = platform;
    const all = [settings, ...folders.map((folder) => folder.settings)];
    const isAllowed = (operation: Operation) =>
      all.every(({ allowedOperations }) => allowedOperations.includes(operation));
    this.operations = new Set(settings.allowedOperations.filter(isAllowed));
    this.denies = all.some(({ deniedPaths }) => deniedPaths.length > 0);
  }

  /** The first glob of a setting that matches a path, and the folder with that setting (none if the path is in no folder). */
  find(
    setting: 'deniedPaths' | 'guardedPaths',
    path: string,
    anyCase = ignoresCase(this.#platform),
  ): { glob: string; folder?: PolicyFolder } | undefined {
    const folders = this.#foldersOf(path);
    for (const folder of folders.length > 0 ? folders : [undefined]) {
      const globs = (folder?.settings ?? this.settings)[setting];
      if (globs.length === 0) continue;
      const names = [path, ...(folder ? this.#waysInto(folder, path) : [])];
      const nocase = anyCase || folder?.ignoresCase === true;
      const glob = globs.find((one) =>
        this.#formsOf(one, nocase).some((form) => names.some((name) => form.match(name))),
      );
      if (glob !== undefined) return { glob, ...(folder && { folder }) };
    }
    return undefined;
  }

  /** Bytes of one file that agents may read: the smallest limit of all its names. */
  maxFileSize(paths: readonly string[]): number {
    const settings = paths.flatMap((path) => {
      const folders = this.#foldersOf(path);
      return folders.length > 0 ? folders.map((folder) => folder.settings) : [this.settings];
    });
    return Math.min(...settings.map(({ maxFileSize }) => maxFileSize));
  }

  #foldersOf(path: string): PolicyFolder[] {
    const isIn = (side: string) => isWithin(path, side, this.#platform);
    return this.folders.filter((folder) => isIn(folder.path) || isIn(folder.realPath));
  }

  #waysInto(folder: PolicyFolder, path: string): string[] {
    const ways = [folder.path, folder.realPath].map((side) => inside(path, side, this.#platform));
    return ways.filter((way) => way !== undefined);
  }

  #formsOf(glob: string, nocase: boolean): readonly Minimatch[] {
    const key = `${nocase}${glob}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const options = {
      dot: true,
      nocase,
      nocomment: true,
      nonegate: true,
      windowsPathsNoEscape: this.#platform === 'win32',
    };
    const composed = this.#platform === 'darwin' ? glob.normalize('NFC') : glob;
    const forms = formsOf(composed).map((one) => new Minimatch(one, options));
    this.#compiled.set(key, forms);
    return forms;
  }
}

/**
 * A glob of a folder includes its contents, and `folder/**` includes the folder itself. One without a slash inside matches at any
 * depth, as in .gitignore.
 */
function formsOf(glob: string): string[] {
  const [, folder] = /^(.*[^/*?[\]{}()!+@]+)\/\*\*\/*$/.exec(glob) ?? [];
  const name = glob.replace(/\/+$/, '');
  const deep = name.includes('/') ? [] : [`**/${name}`, `**/${name}/**`];
  return [glob, `${name}/**`, ...deep, ...(folder === undefined ? [] : [folder])];
}
