import { Minimatch } from 'minimatch';

/** Most alternatives that the braces of all globs of a call may stand for: `{a,b}{a,b}…` doubles with each. */
const MOST_ALTERNATIVES = 1000;

/** What an agent may pass: every file of the workspace is held against each, and the editor waits meanwhile. */
export const MOST_GLOBS = 100;
export const LONGEST_GLOB = 1000;

/**
 * Globs as `.gitignore` and ripgrep take them: one without a slash fits a name in any folder, and a folder's name all
 * that is in it. Hidden files count.
 */
export function globMatchers(globs: readonly string[]): ((path: string) => boolean)[] {
  let left = MOST_ALTERNATIVES;
  return globs.map((glob) => {
    const { matches, alternatives } = matcher(glob, Math.max(left, 1));
    left -= alternatives;
    return matches;
  });
}

function matcher(glob: string, most: number) {
  const anchored = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const pattern = anchored.includes('/') ? anchored : `**/${anchored}`;
  const options = { dot: true, braceExpandMax: most };
  const forms = [pattern, `${pattern}/**`].map((text) => new Minimatch(text, options));
  const matches = (path: string) => forms.some((it) => it.match(path));
  return { matches, alternatives: forms[0]?.globSet.length ?? 1 };
}
