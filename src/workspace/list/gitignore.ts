import ignore, { type Ignore } from 'ignore';

/** Limits for rules per file, their length, and their wildcards: a hostile rule must not block the editor. */
const MOST_RULES = 10_000;
const LONGEST_RULE = 1_000;
const MOST_WILDCARDS = 6;

/** Rules of the `.gitignore` files of a directory and its ancestors, deepest first. */
export type Rules = readonly { directory: string; rules: Ignore }[];

/** @param directory path of the `.gitignore`'s directory, with a slash at the end, or `''` */
export function withRules(above: Rules, directory: string, text: string): Rules {
  const lines = text.split(/\r?\n/).filter(isHarmless);
  if (lines.length > MOST_RULES) return above;
  return [{ directory, rules: ignore({ ignorecase: false }).add(lines) }, ...above];
}

/** Assumes that no directory above is ignored: callers do not enter ignored directories. */
export function isIgnored(all: Rules, path: string, isFolder: boolean): boolean {
  for (const { directory, rules } of all) {
    const { ignored, unignored } = rules.test(`${path.slice(directory.length)}${isFolder ? '/' : ''}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}

const isHarmless = (line: string): boolean =>
  line !== '' && line.length <= LONGEST_RULE && (line.match(/\*+/g)?.length ?? 0) <= MOST_WILDCARDS;
