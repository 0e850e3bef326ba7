/** Lines that seem to import a file. Only TypeScript's server changes them as a file is moved: of others, the text is searched. */
import { posix } from 'node:path';
import { counted, firstOf, ifUserError, throwIfCancelled, visible } from '../../core/messages.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import { escaped, type SearchLine } from '../../workspace/search/ripgrepSearch.ts';
import type { Scope } from '../scope.ts';
import { isTypeScript, ownServersOf } from './checkers.ts';
import { familyOf, languagesIn } from './languages.ts';

interface ImportLines {
  /** What the lines have: the name without its ending. */
  name: string;
  /** Of the files. */
  languageIds: readonly string[];
  lines: readonly SearchLine[];
}

/** Files that have the name of their folder for those that import them. */
const OF_FOLDER = /^(__init__\.pyi?|index\.\w+|mod\.rs)$/;
const PROSE = new Set(['markdown', 'plaintext', 'restructuredtext', 'latex', 'asciidoc']);

/**
 * The lines of other files that import a file or folder, as far as their text tells, and a function that finds which of them are
 * unchanged.
 *
 * @returns undefined if TypeScript changes imports of it, or its language has none
 * @throws CancelledError
 */
export async function importsOf(from: Location, to: NewPath, scope: Scope, signal: AbortSignal) {
  const found = await importSearch(from, to, scope, signal);
  if (!found) return undefined;
  const { search, languageIds } = found;
  const [name] = found.names;
  const lines = await search(name);
  const left = async (): Promise<ImportLines> => {
    const now = new Set((await search(name)).map(keyOf));
    return { name, languageIds, lines: lines.filter((line) => now.has(keyOf(line))) };
  };
  return { name, languageIds, lines, left };
}

/** The files that import a file or folder by its old name, or already by its new one. @throws CancelledError */
export async function importingFiles(
  from: Location,
  to: NewPath,
  scope: Scope,
  signal: AbortSignal,
): Promise<Location[]> {
  const found = await importSearch(from, to, scope, signal);
  const lines = await Promise.all([...new Set(found?.names)].map((name) => found?.search(name) ?? []));
  const paths = [...new Set(lines.flat().map(({ path }) => path))];
  const located = await Promise.all(
    paths.map((path) => scope.files.locateShown(path).catch(ifUserError(undefined))),
  );
  return located.filter((one) => one !== undefined);
}

async function importSearch(from: Location, to: NewPath, { files, vscode }: Scope, signal: AbortSignal) {
  const languages = languagesIn(vscode);
  const entries = await files.edits.entries(from);
  const isFolder = entries.length > 0;
  const moved = isFolder ? entries.filter((one) => !one.isFolder) : [{ path: from.uri.path }];
  const languageIds = [...new Set(moved.map(({ path }) => languages.of(path)))].filter(
    (id): id is string => id !== undefined && hasImports(id, vscode),
  );
  const include = languages.globs(languageIds.flatMap(familyOf));
  if (include.length === 0) return undefined;
  const nameOf = ({ uri }: Pick<Location, 'uri'>) => nameInImports(uri.path, isFolder, languageIds);
  const names = [nameOf(from), nameOf(to)] as const;
  const isSamePlace = posix.dirname(from.uri.path) === posix.dirname(to.uri.path);
  if (isSamePlace && names[0] === names[1]) return undefined; // of Go, the same package
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const isOther = ({ path }: SearchLine) => ![from, to].some((one) => `${path}/`.startsWith(`${one.path}/`));
  const search = async (name: string): Promise<SearchLine[]> => {
    const found = await files.search({ query: patternOf(name, languageIds), ...how, include }, signal);
    throwIfCancelled(signal);
    return found.filter((line) => line.hit && isOther(line));
  };
  return { names, languageIds, search };
}

const keyOf = ({ path, text }: SearchLine): string => `${path}\0${text}`;

const hasImports = (languageId: string, code: Scope['vscode']): boolean =>
  !isTypeScript(languageId) && !PROSE.has(languageId) && ownServersOf(code, languageId).length === 0;

/** In Go, imports name the folder; in C and in shells, the whole name of the file. */
function nameInImports(path: string, isFolder: boolean, languageIds: readonly string[]): string {
  const { name, dir, base } = posix.parse(path);
  if (languageIds.includes('go') && !isFolder) return posix.basename(dir);
  if (isFolder || languageIds.some((id) => id === 'shellscript' || familyOf(id).includes('c'))) return base;
  return OF_FOLDER.test(base) ? posix.basename(dir) : name;
}

const WORDS =
  'import|from|include|include_once|require|require_once|require_relative|use|using|mod|source|load|open';

/** An import in most languages, a file that a shell reads, and a line of a block of imports in Go. */
function patternOf(name: string, languageIds: readonly string[]): string {
  const word = `\\b${escaped(name)}\\b`;
  return [
    `^\\s*[#@]?\\s*(?:pub |export |global |static )*(?:${WORDS})\\b.*${word}`,
    `\\b(?:require|import|import_module)\\s*\\(.*${word}`,
    `^\\s*\\.\\s+\\S*${word}`,
    ...(languageIds.includes('go') ? [`^\\s*(?:[\\w.]+\\s+)?"[^"]*${word}"\\s*(?://.*)?$`] : []),
  ].join('|');
}

/** What the agent has to know of lines that nobody changes. @param isDone whether the file is moved */
export function noteOnImports({ name, languageIds, lines }: ImportLines, isDone: boolean): string {
  const kinds = languageIds.join(', ');
  const lead = isDone ? 'No language server updated' : 'Few language servers update';
  if (lines.length === 0) return `${lead} imports of ${kinds}: no line seems to import ${visible(name)}.`;
  const named = firstOf(lines.map(({ path, line }) => `${visible(path)}:${line}`));
  const verb = lines.length === 1 ? 'seems' : 'seem';
  return `${lead} imports of ${kinds}: ${counted(lines.length, 'line')} ${verb} to import ${visible(name)} (${named}).`;
}
