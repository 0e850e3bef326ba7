/** The paths in TypeScript's configurations (tsconfig.json and its kin), and what they become as a file or folder moves. */
import { posix } from 'node:path';
import { visit } from 'jsonc-parser';
import { REDACTED } from '../../access/redaction/redaction.ts';

/** A configuration, or what moves, by the path of its URI. */
export interface Config {
  path: string;
  text: string;
}
export interface Move {
  from: string;
  to: string;
}

/** Entries that are paths also if they begin with no dot. `paths` are that only beside a `baseUrl`. */
const PATHS =
  /^(files|include|exclude|references\/path|(compilerOptions|watchOptions)\/(baseUrl|declarationDir|exclude(Directories|Files)|out|outDir|outFile|rootDirs?|tsBuildInfoFile|typeRoots))$/;
const ALIASES = /^compilerOptions\/paths\//;

/** What such an entry may leave out at the end of the path of a file. */
const LEFT_OUT: readonly (readonly [entry: RegExp, end: RegExp])[] = [
  [/^extends$/, /\.json$/],
  [/^references\/path$/, /\/tsconfig\.json$/],
  [ALIASES, /(\/index)?(\.d)?\.[cm]?[jt]sx?$/],
];

interface Entry {
  text: string;
  /** Names of the fields around it, without indexes. */
  name: string;
  /** Where it stands between its quotes, 0-based. */
  line: number;
  character: number;
  length: number;
}

/** All texts of a configuration that are relative paths. */
export function pathsIn({ text }: Pick<Config, 'text'>): { entries: Entry[]; baseUrl: string | undefined } {
  const all: Entry[] = [];
  visit(text, {
    onLiteralValue: (value, _offset, length, line, character, path) => {
      if (typeof value !== 'string' || value.includes(REDACTED)) return;
      const name = path()
        .filter((one) => typeof one === 'string')
        .join('/');
      all.push({ text: value, name, line, character: character + 1, length: length - 2 });
    },
  });
  const baseUrl = all.find(({ name }) => name === 'compilerOptions/baseUrl')?.text;
  const isPath = ({ text: value, name }: Entry) =>
    isDotted(value) ||
    (!/^(\/|\$\{|[a-zA-Z]:)/.test(value) &&
      (PATHS.test(name) || (baseUrl !== undefined && ALIASES.test(name))));
  return { entries: all.filter(isPath), baseUrl };
}

export const isDotted = (text: string): boolean => /^\.{1,2}(\/|$)/.test(text);

/** The new path of what is at a path; undefined if it stays. @param leftOut what may be missing at its end */
export function movedPath(path: string, { from, to }: Move, leftOut?: RegExp): string | undefined {
  if (`${path}/`.startsWith(`${from}/`)) return to + path.slice(from.length);
  const isShort = from.startsWith(path) && leftOut?.exec(from)?.index === path.length;
  return isShort && leftOut ? to.replace(leftOut, '') : undefined;
}

/** A path up to its first part with a wildcard, and the rest. */
export function fixedPart(path: string): [fixed: string, rest: string] {
  const rest = /(^|\/)[^/]*[*?].*$/.exec(path)?.[0] ?? /(?<=.)\/$/.exec(path)?.[0] ?? '';
  return [path.slice(0, path.length - rest.length), rest];
}

interface NewText extends Entry {
  newText: string;
}

/** What a move makes of a configuration. */
interface Rebased {
  /** The entries that have to change, so that each still means the same file or folder. */
  changes: NewText[];
  /** The patterns of `paths`, and whether what they stand for moves as a whole: imports by them stay right. */
  aliases: [pattern: string, moves: boolean][];
}

export function rebased(config: Config, move: Move): Rebased {
  const { entries, baseUrl = '.' } = pathsIn(config);
  const folder = posix.dirname(config.path);
  const newFolder = posix.dirname(movedPath(config.path, move) ?? config.path);
  const base = posix.join(folder, baseUrl);
  const newBase = baseUrl === '.' ? newFolder : (movedPath(base, move) ?? base);
  const changes: NewText[] = [];
  const aliases: Rebased['aliases'] = [];
  for (const entry of entries) {
    const isAlias = ALIASES.test(entry.name);
    const [from, to] = isAlias ? [base, newBase] : [folder, newFolder];
    const { newText, moves } = rebasedEntry(entry, from, to, move);
    if (isAlias) aliases.push([entry.name.replace(ALIASES, ''), moves]);
    if (newText !== undefined) changes.push({ ...entry, newText });
  }
  return { changes, aliases };
}

/** @param base the folder that it is relative to, and `newBase` after the move */
function rebasedEntry({ text, name }: Entry, base: string, newBase: string, move: Move) {
  const [fixed, rest] = fixedPart(text);
  const old = posix.join(base, fixed);
  const leftOut = LEFT_OUT.find(([of]) => of.test(name))?.[1];
  const moved = movedPath(old, move, rest === '' ? leftOut : undefined);
  const moves = moved !== undefined;
  const way = posix.relative(newBase, moved ?? old);
  if (way === posix.relative(base, old)) return { moves };
  const newText = fixed === '' && way === '' ? rest : join(way, rest);
  return { moves, newText: isDotted(text) && !isDotted(newText) ? `./${newText}` : newText };
}

/** @param rest begins with a slash, or is the whole pattern */
const join = (way: string, rest: string): string =>
  `${way || '.'}${rest !== '' && !rest.startsWith('/') ? '/' : ''}${rest}`;

/** Whether an import by one of the patterns stays right, because what its best pattern stands for moves as a whole. */
export function staysRight(specifier: string, aliases: Rebased['aliases']): boolean {
  const fits = aliases.filter(([pattern]) => {
    const [start = '', end] = pattern.split('*');
    return end === undefined ? specifier === pattern : specifier.startsWith(start) && specifier.endsWith(end);
  });
  const rank = ([pattern]: Rebased['aliases'][number]) =>
    pattern.includes('*') ? pattern.indexOf('*') : Number.POSITIVE_INFINITY;
  const best = fits.sort((a, b) => rank(b) - rank(a))[0]?.[0];
  return fits.some(([pattern, moves]) => pattern === best && moves);
}
