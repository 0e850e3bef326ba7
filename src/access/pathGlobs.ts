import { Minimatch } from 'minimatch';

/** The globs of settings, each compiled once. */
export class PathGlobs {
  readonly #platform: NodeJS.Platform;
  readonly #compiled = new Map<string, readonly Minimatch[]>();

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  /** The first of the globs that one of the paths fits; undefined where none does. */
  find(globs: readonly string[], paths: readonly string[], nocase: boolean): string | undefined {
    return globs.find((glob) =>
      this.#formsOf(glob, nocase).some((form) => paths.some((path) => form.match(path))),
    );
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

/** A folder stands for all that is in it, and who names all that is in a folder means the folder too. */
function formsOf(glob: string): string[] {
  const [, folder] = /^(.*[^/*?[\]{}()!+@]+)\/\*\*\/*$/.exec(glob) ?? [];
  return [glob, `${glob.replace(/\/+$/, '')}/**`, ...(folder === undefined ? [] : [folder])];
}
