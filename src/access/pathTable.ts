/**
 * Globs by the reason why their files are closed or guarded. They match at any depth and ignore case: `*` is any part of a
 * name, `**` any folders, `{a,b}` alternatives. A `/` at the end is a folder with its contents; `!` in front is an exception.
 */
export type PathRows<Reason extends string> = Readonly<Record<Reason, readonly string[]>>;

/** Finds the reason for a path. All globs form one expression, because lists of 100,000 files are matched against it. */
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

  /** The first reason whose globs match a path. @param path absolute, with `/` as separator */
  find(path: string): Reason | undefined {
    if (!this.#any.test(path)) return undefined;
    return this.#rows.find(({ globs, except }) => globs.test(path) && !except.test(path))?.reason;
  }
}

/** Flag `u` also matches characters that some systems treat as an ASCII letter in another case, such as `\u017f` for s. */
const expressionOf = (globs: readonly string[]): RegExp =>
  new RegExp(globs.length === 0 ? '(?!)' : `(?:${globs.map(sourceOf).join('|')})$`, 'iu');

const PARTS: Record<string, string> = { '**/': '(?:[^/]+/)*', '*': '[^/]*', '{': '(?:', ',': '|', '}': ')' };

/** A glob that starts with `*` matches the end of a name; finding the start of the name would take longer. */
const sourceOf = (glob: string): string =>
  glob
    .replace(/^\*|^/, (star) => (star ? '' : '/'))
    .replace(/\*\*\/|[*{,}]|[.+()[\]^$|?\\]/g, (part) => PARTS[part] ?? `\\${part}`)
    .replace(/\/$/, '(?:/[^]*)?');
