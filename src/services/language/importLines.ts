/** Lines that seem to import a file. Only TypeScript's server changes them as a file is moved: of others, the text is searched. */
import { posix } from 'node:path';
import { ifUserError, throwIfCancelled } from '../../core/errors.ts';
import { PROSE } from '../../core/kinds.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isNotebookPath } from '../../workspace/read/notebooks.ts';
import { escaped, type SearchLine } from '../../workspace/search/ripgrepSearch.ts';
import type { Scope } from '../scope.ts';
import { isTypeScript, ownServersOf } from './checkers.ts';
import { familyOf, languagesIn, notebooksFor } from './languages.ts';

/** Languages that import each other. */
const SCRIPTS = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

/** Files that have the name of their folder for those that import them. */
const OF_FOLDER = /^(__init__\.pyi?|index\.\w+|mod\.rs)$/;

/**
 * Looks for the lines of other files that import a file or folder, as far as their text tells; if there are none, for lines that
 * have its name.
 *
 * @returns a function that says which lines these are, after the move which of them are unchanged; undefined if TypeScript changes
 *   imports of it, or its language has none
 * @throws CancelledError
 */
export async function importsOf(from: Location, to: NewPath, scope: Scope, signal: AbortSignal) {
  const found = await importSearch(from, to, await scope.files.edits.entries(from), scope, signal);
  if (!found) return undefined;
  const [name] = found.names;
  const imports = await found.search(name);
  const isSure = imports.length > 0;
  const before = isSure ? imports : await found.search(name, wordOf(name));
  return async (isMoved: boolean): Promise<string | undefined> => {
    const lead = `${isMoved ? 'No language server updated' : 'Few language servers update'} imports of ${found.languageIds.join(', ')}:`;
    const none = `${lead} no import of ${visible(name)} was found by text`;
    if (before.length === 0) return `${none}.`;
    const now = isMoved && new Set((await found.search(name, isSure ? undefined : wordOf(name))).map(keyOf));
    const left = before.filter((line) => !now || now.has(keyOf(line)));
    if (left.length === 0) return undefined; // an extension has changed all
    const named = firstOf(left.map(({ path, line }) => [visible(path), line].filter(Boolean).join(':')));
    return isSure
      ? `${lead} ${counted(left.length, 'line seems', 'lines seem')} to import ${visible(name)} (${named}).`
      : `${none}, but ${counted(left.length, 'line has', 'lines have')} its name (${named}).`;
  };
}

/** The files that import a file or folder by its old name, or already by its new one; no notebooks. @throws CancelledError */
export async function importingFiles(
  from: Location,
  to: NewPath,
  scope: Scope,
  signal: AbortSignal,
): Promise<Location[]> {
  return filesOf(await importSearch(from, to, await scope.files.edits.entries(from), scope, signal), scope);
}

/** The files that import a file, there or gone, as far as their text tells, those of TypeScript too; no notebooks. @throws CancelledError */
export const importersOf = async (file: NewPath, scope: Scope, signal: AbortSignal): Promise<Location[]> =>
  filesOf(await importSearch(file, file, [], scope, signal), scope);

async function filesOf(found: Awaited<ReturnType<typeof importSearch>>, scope: Scope): Promise<Location[]> {
  const lines = await Promise.all([...new Set(found?.names)].map((name) => found?.search(name) ?? []));
  const paths = [...new Set(lines.flat().map(({ path }) => path))].filter((path) => !isNotebookPath(path));
  const located = await Promise.all(
    paths.map((path) => scope.files.locateShown(path).catch(ifUserError(undefined))),
  );
  return located.filter((one) => one !== undefined);
}

/** @param to if that is the file itself, it stays, and TypeScript's server changes no imports of it */
async function importSearch(
  from: NewPath,
  to: NewPath,
  entries: Awaited<ReturnType<Scope['files']['edits']['entries']>>,
  { files, vscode }: Scope,
  signal: AbortSignal,
) {
  const languages = languagesIn(vscode);
  const isFolder = entries.length > 0;
  const moved = isFolder ? entries.filter((one) => !one.isFolder) : [{ path: from.uri.path }];
  const isMove = to !== from;
  const languageIds = [...new Set(moved.map(({ path }) => languages.of(path)))].filter(
    (id): id is string => id !== undefined && ((!isMove && isTypeScript(id)) || hasImports(id, vscode)),
  );
  const include = languages.globs(languageIds.flatMap((id) => (isTypeScript(id) ? SCRIPTS : familyOf(id))));
  if (include.length === 0) return undefined;
  const nameOf = ({ uri }: Pick<Location, 'uri'>) => nameInImports(uri.path, isFolder, languageIds);
  const names = [nameOf(from), nameOf(to)] as const;
  const isSamePlace = posix.dirname(from.uri.path) === posix.dirname(to.uri.path);
  if (isMove && isSamePlace && names[0] === names[1]) return undefined; // of Go, the same package
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const isOther = ({ path }: SearchLine) => ![from, to].some((one) => `${path}/`.startsWith(`${one.path}/`));
  const notebooks = notebooksFor(languageIds);
  const searches = [
    { include, pattern: (name: string) => patternOf(name, languageIds) },
    ...(notebooks.length > 0 ? [{ include: notebooks, pattern: inCells }] : []),
  ];
  const search = async (name: string, query?: string): Promise<SearchLine[]> => {
    const found: SearchLine[] = [];
    for (const { include, pattern } of searches)
      found.push(...(await files.search({ query: query ?? pattern(name), ...how, include }, signal)));
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

/** Where an import may begin: a line, or a statement behind another. A gap is no line break, so that lines are told as they are. */
const GAP = '[ \\t]*';
const START = `(?:^|[;&|]|\\b(?:try|else|then|except\\b[^:\\n]*):?)${GAP}`;

/** The name as a word: `\B` where it begins or ends with a sign, as `.env` does. */
function wordOf(name: string): string {
  const [before, after] = [/^[\p{L}\p{N}_]/u, /[\p{L}\p{N}_]$/u].map((edge) =>
    edge.test(name) ? '\\b' : '\\B',
  );
  return `${before}${escaped(name)}${after}`;
}

/** An import in most languages, also over several lines, a file that a shell reads, and a line of a block of imports in Go. */
function patternOf(name: string, languageIds: readonly string[]): string {
  const word = wordOf(name);
  if (languageIds.some(isTypeScript))
    return `\\b(?:from|import|require)${GAP}\\(?${GAP}['"\`](?:[^'"\`\\n]*/)?${word}(?:\\.\\w+)*['"\`]`;
  const lead = `${START}[#@]?${GAP}(?:(?:pub(?:\\([^)\\n]*\\))?|export|global|static) )*`;
  return [
    `${lead}(?:${WORDS})\\b.*${word}`,
    `\\b(?:require|import|import_module)${GAP}\\(.*${word}`,
    `${START}\\.[ \\t].*${word}`,
    languageIds.includes('go')
      ? `^${GAP}(?:[\\w.]+[ \\t]+)?"[^"\\n]*${word}[^"\\n]*"${GAP}(?://.*)?$`
      : `${lead}(?:from|import|use)\\b.*[({][^)}\\n]*\\n[^)}]*${word}`,
  ].join('|');
}

/** An import in a cell: in the JSON of a notebook, a line of code begins as a text or behind an escaped line break. */
const inCells = (name: string): string =>
  `(?:"|\\\\n)[ \\t]*(?:import|from|using|library|source|include)\\b[^"]*?${wordOf(name)}`;
