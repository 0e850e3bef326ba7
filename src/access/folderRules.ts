import { ignoresCase, inside, isWithin } from '../core/paths.ts';
import type { AccessSettings } from './accessSettings.ts';
import { PathGlobs } from './pathGlobs.ts';
import type { PolicyFolder } from './policyFolder.ts';

interface Rules {
  folders(): readonly PolicyFolder[];
  /** For what lies in no folder. */
  settings(): AccessSettings;
  platform: NodeJS.Platform;
}

/** What the settings of the folders say of a path: where they are nested, each narrows. */
export class FolderRules {
  readonly #rules: Rules;
  readonly #globs: PathGlobs;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#globs = new PathGlobs(rules.platform);
  }

  /** The first glob of a setting that a path fits, and the folder whose setting it is; none for what lies in no folder. */
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
      const glob = this.#globs.find(globs, names, anyCase || folder?.ignoresCase === true);
      if (glob !== undefined) return { glob, ...(folder && { folder }) };
    }
    return undefined;
  }

  /** Bytes that may be read of one file, by each of its names. */
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
}
