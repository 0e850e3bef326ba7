import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { otherNames } from '../../../core/declarations/exported.ts';
import { ifUserError } from '../../../core/errors.ts';
import { isCode, kindName, PROSE } from '../../../core/kinds.ts';
import { addressed, bareName, lastName, wordPattern } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/queues.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { escaped, type SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { isTypeScript } from '../checkers.ts';
import { familyOf, languagesIn, notebooksFor } from '../languages.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { type FileSymbol, type Outline, outlineOf } from './outline.ts';

/** Files that are asked for their symbols, at most: each is loaded. */
const MOST_OUTLINED = 30;
const AT_ONCE = 8;
/** Longest name that is searched, in UTF-16 units. */
const LONGEST = 1_000;

/** A line that seems to declare something. */
const DECLARES =
  /\b(class|const|def|define|enum|fn|func|function|impl|interface|let|module|namespace|record|struct|trait|type|val|var)\b/;

interface Named {
  outlines: readonly Outline[];
  /** Files beyond the limit. Closed files are not counted: that would tell which names they have. */
  leftOut: number;
}

/**
 * The outlines of the files that may define a name, or with `isPart` a name that contains it. The servers' workspace symbols say
 * which; they are those of loaded projects, so if there are none, the files with the text do. With `isPart`, lines that seem to
 * declare such a name in other files count too.
 *
 * @param folder the only one that is looked at; undefined for all. @throws UserError, CancelledError
 */
export async function outlinesNaming(
  name: string,
  isPart: boolean,
  scope: LanguageScope,
  signal: AbortSignal,
  folder?: Location,
): Promise<Named> {
  const { files, providers } = scope;
  const found = await providers.run<vscode.SymbolInformation>('workspace symbols', signal, name);
  const fits = (one: string) =>
    isPart
      ? one.toLowerCase().includes(name.toLowerCase())
      : [one, bareName(one), bareName(lastName(one))].includes(name);
  const isInside = ({ location: { uri } }: vscode.SymbolInformation) =>
    !folder || uri.path.startsWith(`${folder.uri.path}/`);
  const same = found
    .filter((one) => fits(one.name) && isInside(one))
    .sort((a, b) => a.name.length - b.name.length);
  const byFile = [...Map.groupBy(same, ({ location: { uri } }) => `${uri}`).values()];
  // Names are compared as the agent may see them too, or it could guess them.
  const located = await inParallel(byFile.slice(0, MOST_OUTLINED), AT_ONCE, async (symbols) => {
    const location = symbols[0] && (await files.permitted(symbols[0].location.uri));
    const redacted = location && (await files.redactor.redactedText(location));
    const isShown = symbols.some((one) => fits(redacted?.named(one.name, one.location.range) ?? one.name));
    return isShown ? location : undefined;
  });
  const known = located.filter((location) => location !== undefined);
  const knownPaths = new Set(known.map(({ path }) => path));
  const hasCode = known.some(codeFilter(scope));
  const hasAll = !isPart && known.length > 0;
  const named = hasAll
    ? []
    : await pathsWith({ query: name, isPart, onlyDeclaring: hasCode, folder }, scope, signal);
  const others = named.filter((path) => !knownPaths.has(path));
  const room = MOST_OUTLINED - known.length;
  const locations = [...known, ...(await locatedAt(others.slice(0, room), files))];
  // A file that cannot be loaded does not end the search in others.
  const outlines = await inParallel(locations, AT_ONCE, async (one) => {
    const outline = await outlineOf(one, scope, signal).catch(ifUserError(undefined));
    return outline && withUnlisted(outline, same, scope);
  });
  return {
    outlines: outlines.filter((outline) => outline !== undefined),
    leftOut: byFile.length - located.length + Math.max(0, others.length - room),
  };
}

/**
 * With the symbols of a file that only the workspace symbols have: TypeScript's outlines leave out the members of a type alias.
 *
 * @throws UserError
 */
async function withUnlisted(
  outline: Outline,
  found: readonly vscode.SymbolInformation[],
  { files }: LanguageScope,
): Promise<Outline> {
  const { location, document, all } = outline;
  const around = (line: number) => all.filter(({ symbol }) => isWithin(line, symbol));
  const isListed = ({ name, location: { range } }: vscode.SymbolInformation) =>
    around(range.start.line + 1).some(({ symbol }) => bareName(symbol.name) === bareName(name));
  const own = found.filter((one) => `${one.location.uri}` === `${document.uri}` && !isListed(one));
  if (own.length === 0) return outline;
  const lines = await files.lines(
    location,
    own.map((one) => one.location.range.start.line),
  );
  const unlisted = own.flatMap(({ name, kind, location: { range } }) => {
    const { line, character } = range.start;
    const text = lines.get(line) ?? '';
    const at = text.includes(REDACTED) ? -1 : text.slice(character).search(wordPattern(name));
    if (at < 0) return [];
    const [from, parent] = [character + at, around(line + 1).at(-1)];
    const symbol = {
      name,
      kind: kindName(kind),
      line: line + 1,
      column: from + 1,
      endLine: range.end.line + 1,
    };
    return addressed([symbol], undefined, parent?.levels, (parent?.depth ?? 0) + 1);
  });
  return { ...outline, all: [...all, ...unlisted] };
}

const isWithin = (line: number, { line: own, startLine = own, endLine }: FileSymbol): boolean =>
  startLine <= line && line <= endLine;

interface Naming {
  query: string;
  isPart: boolean;
  onlyDeclaring: boolean;
  folder: Location | undefined;
}

/** The files whose text, unsaved included, contains a name; those that seem to declare it first, or only they. */
async function pathsWith(
  { query, isPart, onlyDeclaring, folder }: Naming,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<string[]> {
  if (!query || query.length > LONGEST || query.includes('\0')) return [];
  const how = { isRegex: false, caseSensitive: !isPart, wholeWord: !isPart, contextLines: 0 };
  const include = folder ? [`${folder.path}/**`] : [];
  const lines = await scope.files.search({ query, ...how, include, exclude: [] }, signal);
  const name = query.toLowerCase();
  const declares = ({ text }: SearchLine) =>
    DECLARES.test(text.slice(0, text.toLowerCase().lastIndexOf(name)));
  const isOfCode = codeFilter(scope);
  const declaring = lines.filter((line) => isOfCode(line) && declares(line));
  return [...new Set([...declaring, ...(onlyDeclaring ? [] : lines)].map(({ path }) => path))];
}

/** Tells whether a file may declare code, by its name: the servers of VS Code list headings, too. */
function codeFilter({ vscode }: LanguageScope): (file: { path: string }) => boolean {
  const languages = languagesIn(vscode);
  return ({ path }) => {
    const languageId = languages.of(path) ?? '';
    return isCode(languageId) && !PROSE.has(languageId);
  };
}

async function locatedAt(paths: readonly string[], files: Files): Promise<Location[]> {
  const located = await Promise.allSettled(paths.map((path) => files.locateShown(path)));
  return located.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The end of a symbol's name path that can be searched as one word; undefined if it is no identifier. */
export const wordOf = (path: string): string | undefined =>
  /[\p{L}_$][\p{L}\p{N}_$]{0,200}$/u.exec(bareName(lastName(path)))?.[0];

/** Lines of some files with one of some words, which are identifiers. @throws UserError, CancelledError */
export async function linesWithWord(
  words: readonly (string | undefined)[],
  include: string[],
  { files }: LanguageScope,
  signal: AbortSignal,
) {
  const query = words.flatMap((one) => (one === undefined ? [] : escaped(one))).join('|');
  if (query === '' || include.length === 0) return [];
  const how = { isRegex: true, caseSensitive: true, wholeWord: true, contextLines: 0, exclude: [] };
  return (await files.search({ query, ...how, include }, signal)).filter(({ hit }) => hit);
}

/** The files of TypeScript's projects. */
export const SOURCES = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];

/** Globs of the files that may use what one of a language declares; notebooks too. */
export const usersGlobs = (languageId: string, { vscode }: LanguageScope): string[] => {
  if (isTypeScript(languageId)) return SOURCES;
  const family = familyOf(languageId);
  return [...languagesIn(vscode).globs(family), ...notebooksFor(family)];
};

/** Names of one symbol that are searched, at most. */
const MOST_NAMES = 10;

/**
 * Lines that name the target, in the files of its language and in notebooks that may use it; of TypeScript also those with a name
 * that an export or import gives it.
 *
 * @throws UserError, CancelledError
 */
export async function linesNaming(
  { name, document: { languageId } }: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<SearchLine[]> {
  const names = new Set([wordOf(name) ?? '']);
  const lines = new Map<string, SearchLine>();
  let asked = [...names];
  while (asked.length > 0) {
    const found = await linesWithWord(asked, usersGlobs(languageId, scope), scope, signal);
    for (const one of found) lines.set(`${one.path}:${one.line}`, one);
    const others = isTypeScript(languageId)
      ? found.flatMap(({ text, path }) => asked.flatMap((one) => otherNames(one, text, path)))
      : [];
    asked = [...new Set(others)].filter((one) => !names.has(one)).slice(0, MOST_NAMES - names.size);
    for (const one of asked) names.add(one);
  }
  return [...lines.values()];
}

export const LOADED_AT_ONCE = 4;

/**
 * Has a server load a file, as an editor would, but without one: VS Code drops the text after some minutes.
 *
 * @param path as results show it
 * @throws CancelledError
 */
export async function loadFile(
  path: string,
  { files, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<vscode.TextDocument | undefined> {
  const location = await files.locateShown(path).catch(ifUserError(undefined));
  const document = location && (await files.loadDocument(location).catch(ifUserError(undefined)));
  if (document) await providers.start(document, signal).catch(ifUserError(undefined));
  return document;
}
