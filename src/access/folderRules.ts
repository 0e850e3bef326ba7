import { Minimatch } from 'minimatch';
import { ignoresCase, inside, isWithin } from '../core/paths.ts';
import type { AccessSettings } from './accessSettings.ts';
import type { PolicyFolder } from './policyFolder.ts';

interface Rules {
  folders(): readonly PolicyFolder[];
  /** For paths outside all folders. */
  settings(): AccessSettings;
  platform: NodeJS.Platform;
}

/** Applies the settings of the folders to a path. In nested folders, each folder's settings narrow. */
export class FolderRules {
  readonly #rules: Rules;
  /** Each glob is compiled once. */
  readonly #compiled = new Map<string, readonly Minimatch[]>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** The first glob of a setting that matches a path, and the folder with that setting (none if the path is in no folder). */
  find(
    setting: 'deniedPaths' | 'guardedPaths',
    path: string,
    anyCase = ignoresCase(this.#rules.platform),
  ): { glob: string; folder?: PolicyFolder } | undefined {
    const folders = this.#foldersOf(path);
    for (const folder of folders.length > 0 ? folders : [undefined]) {
      const globs = (folder?.settings ?? this.#rules.settings())[setting];
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
      return folders.length > 0 ? folders.map((folder) => folder.settings) : [this.#rules.settings()];
    });
    return Math.min(...settings.map(({ maxFileSize }) => maxFileSize));
  }

  #foldersOf(path: string): readonly PolicyFolder[] {
    const { platform } = this.#rules;
    return this.#rules
      .folders()
      .filter((folder) => isWithin(path, folder.path, platform) || isWithin(path, folder.realPath, platform));
  }

  #waysInto(folder: PolicyFolder, path: string): string[] {
    const ways = [folder.path, folder.realPath].map((side) => inside(path, side, this.#rules.platform));
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
      windowsPathsNoEscape: this.#rules.platform === 'win32',
    };
    const composed = this.#rules.platform === 'darwin' ? glob.normalize('NFC') : glob;
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
