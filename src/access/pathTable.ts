/**
 * Globs by the reason why their files are treated in a special way. They fit at any depth and in any case: `*` is any part of a
 * name, `**` any folders, `{a,b}` one of them; `/` at the end means a folder with all that is in it, `!` in front what is not meant.
 */
export type PathRows<Reason extends string> = Readonly<Record<Reason, readonly string[]>>;

/** Finds the reason of a path. All globs together are one expression: lists of 100,000 files are held against it. */
export class PathTable<Reason extends string> {
  readonly #any: RegExp;
  readonly #rows: readonly { reason: Reason; globs: RegExp; except: RegExp }[];

  constructor(rows: PathRows<Reason>) {
    const all = Object.entries<readonly string[]>(rows).map(([reason, globs]) => ({
      reason: reason as Reason,
      globs: globs.filter((glob) => !glob.startsWith('!')),
      except: globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
    }));
    this.#any = expressionOf(all.flatMap(({ globs }) => globs));
    this.#rows = all.map(({ reason, globs, except }) => ({
      reason,
      globs: expressionOf(globs),
      except: expressionOf(except),
    }));
  }

  /** The first reason whose globs a path fits. @param path absolute, with `/` between the names */
  find(path: string): Reason | undefined {
    if (!this.#any.test(path)) return undefined;
    return this.#rows.find(({ globs, except }) => globs.test(path) && !except.test(path))?.reason;
  }
}

/** By `u` also for the few characters that some systems take for an ASCII letter in another case, such as `\u017f` for s. */
const expressionOf = (globs: readonly string[]): RegExp =>
  new RegExp(globs.length === 0 ? '(?!)' : `(?:${globs.map(sourceOf).join('|')})$`, 'iu');

const PARTS: Record<string, string> = { '**/': '(?:[^/]+/)*', '*': '[^/]*', '{': '(?:', ',': '|', '}': ')' };

/** A glob that begins with `*` fits the end of a name: to look for where the name begins would take longer. */
const sourceOf = (glob: string): string =>
  glob
    .replace(/^\*|^/, (star) => (star ? '' : '/'))
    .replace(/\*\*\/|[*{,}]|[.+()[\]^$|?\\]/g, (part) => PARTS[part] ?? `\\${part}`)
    .replace(/\/$/, '(?:/[^]*)?');
