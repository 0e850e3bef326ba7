import { Minimatch } from 'minimatch';

/** Most alternatives that the braces of a glob may stand for: `{a,b}{a,b}…` doubles with each. */
const MOST_ALTERNATIVES = 1000;

/**
 * A glob as `.gitignore` and ripgrep take it: one without a slash fits a name in any folder, and a folder's name all that
 * is in it. Hidden files count.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const anchored = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const pattern = anchored.includes('/') ? anchored : `**/${anchored}`;
  const options = { dot: true, braceExpandMax: MOST_ALTERNATIVES };
  const globs = [pattern, `${pattern}/**`].map((text) => new Minimatch(text, options));
  return (path) => globs.some((it) => it.match(path));
}
