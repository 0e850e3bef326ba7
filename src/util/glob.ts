import { Minimatch } from 'minimatch';

/** Most alternatives from the braces in all globs of a call: in `{a,b}{a,b}…` each brace doubles them. */
const MOST_ALTERNATIVES = 1000;

/** Limits for agents: every file of the workspace is matched against each glob, which blocks the editor. */
export const MOST_GLOBS = 100;
export const LONGEST_GLOB = 1000;

/**
 * Globs as in `.gitignore` and ripgrep: one without a slash matches a name in any folder, one that begins with it only at the
 * top, and a folder's name matches all its content. Hidden files match too.
 */
export function globMatchers(globs: readonly string[]): ((path: string) => boolean)[] {
  let left = MOST_ALTERNATIVES;
  return globs.map((glob) => {
    const bare = glob.replace(/^\.\//, '').replace(/\/$/, '');
    const pattern = bare.includes('/') ? bare.replace(/^\//, '') : `**/${bare}`;
    const options = {
      dot: true,
      braceExpandMax: Math.max(left, 1),
      windowsPathsNoEscape: process.platform === 'win32',
    };
    const forms = [pattern, `${pattern}/**`].map((text) => new Minimatch(text, options));
    left -= forms[0]?.globSet.length ?? 1;
    return (path) => forms.some((form) => form.match(path));
  });
}

export const isMagic = (text: string): boolean => /[*?[\]{}]/.test(text);

/** The glob that matches only this path. On Windows a backslash parts names, so it escapes nothing. */
export const literalGlob = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? path.replaceAll(/[*?[\]{}]/g, '[$&]') : path.replaceAll(/[*?[\]{}\\!#]/g, '\\$&');
