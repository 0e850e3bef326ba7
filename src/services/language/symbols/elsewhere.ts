/** What the answer of a language server about a symbol leaves out: a server knows the files of its project, or those that are open. */
import type * as vscode from 'vscode';
import { counted, throwIfCancelled, visible } from '../../../core/messages.ts';
import { timeout } from '../../../util/clock.ts';
import { inParallel } from '../../../util/turns.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { isTypeScript, ownServersOf } from '../checkers.ts';
import { familyOf, languagesIn } from '../languages.ts';
import type { LanguageScope } from '../providers.ts';
import { positionsOf, type Target } from './candidates.ts';
import { isCFamily } from './cFamily.ts';
import { outlineOf } from './outline.ts';
import type { ServerPlace } from './places.ts';
import { LOADED_AT_ONCE, loadFile, wordOf } from './symbolFiles.ts';

/** Files that a server is made to load for one question, at most, and how long that may take, in milliseconds. */
const MOST_LOADED = 12;
const LOADING = 5_000;
const MOST_LINES_NAMED = 5;

/** Languages whose servers in VS Code know one document: a name in another file is another one to them. */
export const isOfOneFile = (languageId: string): boolean => /^(css|scss|less|html)$/.test(languageId);

export interface Everywhere<T> {
  answer: T;
  /** Lines with the name in files that the answer leaves out. */
  elsewhere: readonly SearchLine[];
}

/**
 * Asks a server about a symbol. If files have its name and the answer leaves them out, the server is made to load some of them, and
 * asked again.
 *
 * @param placesIn the places of the symbol in an answer
 * @param loading ends the loading of files, of several questions together
 * @throws what `ask` throws; UserError, CancelledError
 */
export async function askedEverywhere<T>(
  target: Target,
  ask: () => Promise<T>,
  placesIn: (answer: T) => readonly ServerPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
  loading = timeout(LOADING),
): Promise<Everywhere<T>> {
  const answer = await ask();
  const leftOut = (places: readonly ServerPlace[]) => {
    const known = new Map(places.map(({ uri }) => [scope.files.displayPath(uri), new Set<number>()]));
    for (const { uri, range } of places) known.get(scope.files.displayPath(uri))?.add(range.start.line + 1);
    return ({ path, line, text }: SearchLine) => {
      const lines = known.get(path);
      if (!lines) return path !== target.location.path;
      return line !== undefined && mayBeInactive(target) && !lines.has(line) && !C_COMMENT.test(text);
    };
  };
  const places = placesIn(answer);
  const isAnswered = places.length > 0 || isOfOneFile(target.document.languageId);
  const lines = isAnswered ? await linesWith(target, places, scope, signal) : [];
  const elsewhere = lines.filter(leftOut(places));
  if (isOfOneFile(target.document.languageId)) return { answer, elsewhere };
  const isLoaded = await loadSome(elsewhere, scope, signal, loading);
  if (!isLoaded) return { answer, elsewhere };
  const again = await ask();
  return { answer: again, elsewhere: elsewhere.filter(leftOut(placesIn(again))) };
}

const C_COMMENT = /^\s*(\/\/|\/?\*)/;

/** Whether files of an answer may have uses that it leaves out: no server of C looks into branches of `#if` that are not compiled. */
const mayBeInactive = ({ document, symbol }: Target): boolean =>
  isCFamily(document.languageId) && /^(function|macro|variable|constant)$/.test(symbol?.kind ?? '');

/** The references to a symbol at each place that declares it: clangd counts those to a `struct` tag and its `typedef` apart. */
export async function referencesTo(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<vscode.Location[]> {
  const asked = positionsOf(target, scope).map((position) =>
    scope.providers.ask<vscode.Location>('references', target.document, signal, position),
  );
  const keyOf = ({ uri, range: { start } }: vscode.Location) => `${uri} ${start.line}:${start.character}`;
  return [...new Map((await Promise.all(asked)).flat().map((one) => [keyOf(one), one])).values()];
}

/** The same, also in files that the server has not loaded. @param loading as of `askedEverywhere` @throws UserError, CancelledError */
export const referencesEverywhere = (
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
  loading?: AbortSignal,
): Promise<Everywhere<readonly vscode.Location[]>> =>
  askedEverywhere(
    target,
    () => referencesTo(target, scope, signal),
    (found) => found,
    scope,
    signal,
    loading,
  );

/** Loads the first files that are not loaded yet. @returns whether there are any. @throws CancelledError */
async function loadSome(
  lines: readonly SearchLine[],
  scope: LanguageScope,
  signal: AbortSignal,
  loading: AbortSignal,
): Promise<boolean> {
  const open = new Set(scope.vscode.workspace.textDocuments.map(({ uri }) => scope.files.displayPath(uri)));
  const paths = [...new Set(lines.map(({ path }) => path))].filter((path) => !open.has(path));
  const limit = AbortSignal.any([signal, loading]);
  await inParallel(paths.slice(0, MOST_LOADED), LOADED_AT_ONCE, async (path) => {
    if (limit.aborted) return;
    // A server that has answered about a file has read it.
    const read = loadFile(path, scope, limit).then(
      (one) => one && scope.providers.ask('symbols', one, limit),
    );
    await read.catch(() => {});
  });
  throwIfCancelled(signal);
  return paths.length > 0;
}

/** Lines of files of the same language that have the name of a symbol. @throws UserError, CancelledError */
async function linesWith(
  target: Target,
  places: readonly ServerPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<SearchLine[]> {
  const { files, vscode } = scope;
  const { document, position, location } = target;
  const { languageId } = document;
  const how = { isRegex: false, caseSensitive: true, wholeWord: true, contextLines: 0, exclude: [] };
  const found: SearchLine[] = [];
  if (isOfOneFile(languageId)) {
    const line = (await files.lines(location, [position.line])).get(position.line) ?? '';
    for (const where of searchesFor(line, position.character))
      found.push(...(await files.search({ ...how, isRegex: true, wholeWord: false, ...where }, signal)));
    return found.filter(({ hit }) => hit);
  }
  // TypeScript's projects are loaded before. In JSON and Markdown a word says nothing.
  if (isTypeScript(languageId) || ownServersOf(vscode, languageId).length > 0) return [];
  const query = wordOf(target.name);
  const include = languagesIn(vscode).globs(familyOf(languageId));
  if (query === undefined || include.length === 0 || (await isLocal(target, places, scope, signal)))
    return [];
  return (await files.search({ query, ...how, include }, signal)).filter(({ hit }) => hit);
}

const FUNCTIONS = new Set(['function', 'method', 'constructor']);
/** What stands before the name of a member. */
const MEMBER = /(\.|->|::|@)\s*$/;

/** Whether a symbol is a parameter or variable of a function: all its places are in that. @throws UserError, CancelledError */
async function isLocal(
  { location, document }: Target,
  places: readonly ServerPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<boolean> {
  if (places.some(({ uri }) => `${uri}` !== `${document.uri}`)) return false;
  const lines = await scope.files.lines(
    location,
    places.map(({ range }) => range.start.line),
  );
  const isMember = places.some(({ range: { start } }) =>
    MEMBER.test((lines.get(start.line) ?? '').slice(0, start.character)),
  );
  if (isMember) return false;
  const { all } = await outlineOf(location, scope, signal);
  return all.some(({ symbol: { kind, line, column, startLine = line, endLine } }) => {
    if (!FUNCTIONS.has(kind)) return false;
    return places.every(({ range: { start } }) => {
      const isName = start.line + 1 === line && start.character + 1 === column;
      return !isName && startLine <= start.line + 1 && start.line + 1 <= endLine;
    });
  });
}

const STYLES = ['*.css', '*.scss', '*.less'];
const MARKUP = ['*.html', '*.htm', '*.vue', '*.svelte', '*.astro', '*.jsx', '*.tsx', '*.js', '*.ts', '*.php'];

/** Where else a name of CSS would stand: a property as it is, a class or an id in selectors and in attributes. */
function searchesFor(line: string, at: number): { query: string; include: string[] }[] {
  const found = [...line.matchAll(/(--|[.#])([\w-]+)/g)].find(
    ({ 0: whole, index }) => index <= at + 1 && at < index + whole.length,
  );
  const [, mark, name] = found ?? [];
  if (!mark || !name) return [];
  const end = '($|[^\\w-])';
  if (mark === '--') return [{ query: `(^|[^\\w-])--${name}${end}`, include: [...STYLES, ...MARKUP] }];
  const attribute = mark === '.' ? 'class(Name)?' : 'id';
  return [
    { query: `\\${mark}${name}${end}`, include: STYLES },
    { query: `\\b${attribute}\\s*=\\s*["'{\`][^>]*\\b${name}${end}`, include: MARKUP },
  ];
}

/** A note on the lines that an answer leaves out; undefined if there are none. */
export function noteOnElsewhere(lines: readonly SearchLine[], { document }: Target): string | undefined {
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MOST_LINES_NAMED).map(({ path, line }) => `${visible(path)}:${line}`);
  const more = lines.length > MOST_LINES_NAMED ? ` and ${lines.length - MOST_LINES_NAMED} more` : '';
  const verb = lines.length === 1 ? 'has' : 'have';
  const said = `${verb} the name too (${shown.join(', ')}${more})`;
  const count = counted(lines.length, 'line');
  if (isOfOneFile(document.languageId))
    return `The language server of ${document.languageId} knows this file only: ${count} of other files ${said}.`;
  return `${count} ${said}, in code or comments: the language server reported no use there.`;
}
