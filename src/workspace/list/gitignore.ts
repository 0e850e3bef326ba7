import { Minimatch } from 'minimatch';

/** Most rules of one file, and the longest one: every path is compared with each. */
const MOST_RULES = 10_000;
const LONGEST_RULE = 1_000;

interface Rule {
  /** Path of the directory that has the rule, with a slash at the end, or `''`. */
  directory: string;
  isNegated: boolean;
  isForFolders: boolean;
  matches(path: string, name: string): boolean;
}

/** Rules of the `.gitignore` files of a directory and of those above, the strongest first. */
export type Rules = readonly Rule[];

/** @param directory path of the one whose `.gitignore` has this text, with a slash at the end, or `''` */
export function withRules(above: Rules, directory: string, text: string): Rules {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > MOST_RULES) return above;
  return [...lines.flatMap((line) => ruleOf(directory, line) ?? []).reverse(), ...above];
}

/** The directories above are not ignored, or nobody would ask. */
export function isIgnored(rules: Rules, path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rule = rules.find(
    (one) => (isFolder || !one.isForFolders) && one.matches(path.slice(one.directory.length), name),
  );
  return rule !== undefined && !rule.isNegated;
}

/** Undefined for a line that matches nothing. */
function ruleOf(directory: string, line: string): Rule | undefined {
  if (line.length > LONGEST_RULE) return undefined;
  const isNegated = line.startsWith('!');
  const trimmed = withoutSpaces(isNegated ? line.slice(1) : line);
  const isForFolders = trimmed.endsWith('/');
  const matches = matcherOf(isForFolders ? trimmed.slice(0, -1) : trimmed);
  return matches && { directory, isNegated, isForFolders, matches };
}

/** Without the spaces at the end, but with one after a backslash. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  const backslashes = end - line.slice(0, end).search(/\\*$/);
  return line.slice(0, end + (backslashes % 2));
}

/** Escaped characters and complete classes. */
const ESCAPED = /\\.|\[[!^]?(?:\\.|[^\\])(?:\\.|\[:\w+:\]|[^\]\\])*\]/g;

/** A pattern with a slash is of the path in its directory, any other of a name at any depth. */
function matcherOf(pattern: string): Rule['matches'] | undefined {
  const isOfPath = pattern.includes('/');
  const glob = pattern.replace(/^\//, '').replace(/(^|\/)\*{3,}(?=\/|$)/g, '$1**');
  // No path has such a part, and Git ignores a pattern that does not end.
  if (/(^|\/)\.{0,2}(\/|$)/.test(glob) || /[[\\]/.test(glob.replace(ESCAPED, ''))) return undefined;
  if (!/[*?[\\]/.test(glob)) return isOfPath ? (path) => path === glob : (_, name) => name === glob;
  const compiled = new Minimatch(glob, {
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: 'linux', // a backslash escapes on Windows too
  });
  return isOfPath ? (path) => compiled.match(path) : (_, name) => compiled.match(name);
}
