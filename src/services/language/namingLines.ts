/** Lines that name a file or folder by its path but import nothing: a move leaves them as they are. */
import { posix } from 'node:path';
import { ifUserError } from '../../core/errors.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { globMatchers } from '../../util/glob.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import { escaped, type SearchLine } from '../../workspace/search/ripgrepSearch.ts';
import type { Scope } from '../scope.ts';
import { fixedPart, isDotted, movedPath } from './configPaths.ts';
import { SOURCES } from './symbols/symbolFiles.ts';

/** Files of tools that name others by paths, without those that tools write. */
const DATA = ['**/*.{json,jsonc,json5,yaml,yml,toml}', '**/.*rc', '**/{Dockerfile,Makefile,CODEOWNERS}'];
const GENERATED = ['**/{package-lock,npm-shrinkwrap}.json', '**/pnpm-lock.yaml'];

/** A path in a script stands in quotes; elsewhere it ends with what no path has. */
const QUOTED = /(?<=(['"`]))(?:\.{0,2}\/)?[^'"`\s]*\/[^'"`\s]*(?=\1)/g;
const BARE = /[^\s"'`,;:=(){}<>|&$[\]]+/g;
/** A name alone is a path in a list of texts. */
const LISTED = /(?<=(?:^|[[,])\s*")[^"/]+(?="\s*(?:[,\]]|$))/g;

const HOW = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: GENERATED };

/** The lines of scripts with a text in quotes that may import a file or folder. @throws CancelledError */
export const linesQuoting = (from: Location, files: Files, signal: AbortSignal): Promise<SearchLine[]> =>
  hits(`${IN_QUOTES}${escaped(nameInImports(from))}${IN_QUOTES_END}`, SOURCES, files, signal);

const IN_QUOTES = `['"\`][^'"\`\\n]*`;
const IN_QUOTES_END = `[^'"\`\\n]*['"\`]`;

const hits = async (query: string, include: string[], files: Files, signal: AbortSignal) =>
  (await files.search({ query, ...HOW, include }, signal)).filter(({ hit }) => hit);

/**
 * A function that says which lines these are. In what moves, these are the ones that lead out of it.
 *
 * @param changed lines that the move changes, as `path:line`
 * @throws CancelledError
 */
export async function pathsNaming(
  from: Location,
  to: NewPath,
  changed: ReadonlySet<string>,
  { files }: Pick<Scope, 'files'>,
  signal: AbortSignal,
): Promise<(isMoved: boolean) => string | undefined> {
  const move = { from: from.path, to: to.path };
  const isInside = ({ path }: SearchLine) => movedPath(path, move) !== undefined;
  const ways = `${escaped(nameInImports(from))}|\\*|\\.\\.?/`;
  const lines = [
    ...(await linesQuoting(from, files, signal)).filter((one) => !isInside(one)),
    ...(await hits(`['"\`]\\.\\.?/`, [from.path], files, signal)).filter(({ path }) => isScriptPath(path)),
    ...(await hits(ways, DATA, files, signal)),
  ];
  const isLeft = async (one: SearchLine) =>
    !changed.has(`${one.path}:${one.line}`) && (await names(one, move, rootOf(from, files), files));
  const left: SearchLine[] = [];
  for (const one of lines) if (await isLeft(one)) left.push(one);
  left.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  return (isMoved) => {
    if (left.length === 0) return undefined;
    const places = left.map(({ path, line }) => {
      const at = (isMoved ? movedPath(path, move) : undefined) ?? path;
      return [visible(at), line].filter(Boolean).join(':');
    });
    return `The move makes paths wrong in ${counted(places.length, 'line')} (${firstOf(places)}): use edit_file.`;
  };
}

interface Move {
  from: string;
  to: string;
}

const rootOf = ({ folder }: Location, files: Files): string => (folder ? files.displayPath(folder.uri) : '.');

/** Whether a line has a path that means what moves, or a file outside from inside, and not after the move. */
async function names({ path, text }: SearchLine, move: Move, root: string, files: Files): Promise<boolean> {
  const isScript = isScriptPath(path);
  const isInside = movedPath(path, move) !== undefined;
  const own = posix.dirname(path);
  const mayBeOfRoot = (token: string) => own !== root && token.includes('/');
  for (const token of isScript ? inScript(text) : inData(text)) {
    const target = posix.join(own, fixedPart(token)[0]);
    const exists = () => files.locateShown(target).then(() => true, ifUserError(false));
    if (isInside && isDotted(token)) {
      if (leadsOut(target, path, move) && (await exists())) return true;
    } else if (!isInside && means(token, own, move, isScript)) return true;
    else if (mayBeOfRoot(token) && means(token, root, move, isScript) && !(await exists())) return true;
  }
  return false;
}

const isScriptPath = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** An import by an alias is a path to no file. */
const inScript = (text: string): string[] =>
  (text.match(QUOTED) ?? []).filter((one) => isDotted(one) || !/\b(from|import|require)\b/.test(text));

const inData = (text: string): string[] =>
  [...(text.match(BARE) ?? []).filter((one) => /[./]/.test(one)), ...(text.match(LISTED) ?? [])].map((one) =>
    one.replace(/^!?\/?/, ''),
  );

/** Whether a path or glob in a folder means what moves, or a part of it, and not after the move. */
function means(token: string, folder: string, { from, to }: Move, isScript: boolean): boolean {
  const [fixed, rest] = fixedPart(token);
  const path = posix.join(folder, fixed);
  if (movedPath(path, { from, to }) !== undefined) return true;
  if (isScript && rest === '' && withoutEnd(path) === withoutEnd(from)) return true;
  if (!/[*?]/.test(rest) || !token.includes('/')) return false;
  const [matches] = globMatchers([posix.join(folder, token)]);
  return matches?.(from) === true && !matches(to);
}

/** Whether the way from inside of what moves to something outside is another one after the move. */
function leadsOut(target: string, path: string, move: Move): boolean {
  const [own, moved] = [posix.dirname(path), posix.dirname(movedPath(path, move) ?? path)];
  return (
    movedPath(target, move) === undefined && posix.relative(own, target) !== posix.relative(moved, target)
  );
}

const withoutEnd = (path: string): string => path.replace(/(\/index)?(\.d)?\.[cm]?[jt]sx?$/, '');

/** The last part of a path that imports it, such as `money` of `src/money.ts` and of `src/money/index.ts`. */
export const nameInImports = ({ uri }: Location): string =>
  uri.path.replace(/(\/index)?(\.d)?\.\w+$/, '').replace(/^.*\//, '');
