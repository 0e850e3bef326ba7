/** What the answer of a language server about a symbol leaves out: a server knows the files of its project, or those that are open. */
import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../../core/errors.ts';
import { FUNCTIONS } from '../../../core/kinds.ts';
import { counted, firstOf } from '../../../core/text/cut.ts';
import { visible } from '../../../core/text/visible.ts';
import { clock, delay } from '../../../util/clock.ts';
import { inParallel } from '../../../util/queues.ts';
import { isNotebookPath } from '../../../workspace/read/notebooks.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { isTypeScript, ownServersOf } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { reloadStuckProjects, STUCK } from '../tsProjects.ts';
import { positionsOf, type Target } from './candidates.ts';
import { type LeftLine, linesUnresolved, mayBeUse } from './hiddenUses.ts';
import { LoadingTime } from './loadingTime.ts';
import { outlineOf } from './outline.ts';
import type { ServerPlace } from './places.ts';
import { loadProjects } from './projects.ts';
import { isOfOneFile, searchesFor } from './styleNames.ts';
import { LOADED_AT_ONCE, linesNaming, loadFile } from './symbolFiles.ts';
import { twinsOf } from './twins.ts';

/** Files that a server is made to load for one question, at most, and how long that may take, in milliseconds. */
const MOST_LOADED = 12;
const LOADING = 5_000;
/** How long TypeScript may take to notice a new file, and how often it is asked meanwhile, in milliseconds. */
const NOTICING = 6_000;
const POLL = 300;

export interface Everywhere {
  found: readonly vscode.Location[];
  /** Lines with the name in files that the answer leaves out. */
  elsewhere: readonly LeftLine[];
}

/**
 * The references to a symbol. If files have its name and the answer leaves them out, the server is made to load some of them, and
 * asked again.
 *
 * @throws UserError, CancelledError
 */
export async function referencesEverywhere(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
  loading?: LoadingTime,
): Promise<Everywhere> {
  const leftOut = (places: readonly ServerPlace[]) => {
    const known = new Map(places.map(({ uri }) => [scope.files.displayPath(uri), new Set<number>()]));
    for (const { uri, range } of places) known.get(scope.files.displayPath(uri))?.add(range.start.line + 1);
    return (one: SearchLine) => {
      const { path, line } = one;
      const lines = known.get(path);
      if (!lines) return path !== target.location.path;
      return line !== undefined && !lines.has(line) && isUse(one);
    };
  };
  const found = await referencesTo(target, scope, signal);
  const isUse = found.length > 0 ? await mayBeUse(target, scope, signal) : () => false;
  const isAlone = isOfOneFile(target.document.languageId);
  const lines = found.length > 0 || isAlone ? await linesWith(target, found, scope, signal) : [];
  const elsewhere = lines.filter(leftOut(found));
  if (isTypeScript(target.document.languageId)) {
    const { left, isLoaded } = await loadProjects(elsewhere, target.location.path, scope, signal, loading);
    let all = isLoaded ? await referencesTo(target, scope, signal) : found;
    const end = clock.now() + NOTICING;
    for (let waited = 0; ; waited += POLL) {
      const unused = elsewhere.filter((one) => !left.includes(one)).filter(leftOut(all));
      const { lines, isNew } = await linesUnresolved(target, unused, scope, signal);
      if (!isNew || clock.now() >= end) return { found: all, elsewhere: [...left, ...lines] };
      if (waited === STUCK) await reloadStuckProjects(scope.vscode);
      await delay(POLL, signal).catch(() => {});
      throwIfCancelled(signal);
      all = await referencesTo(target, scope, signal);
    }
  }
  if (isAlone || !(await loadSome(elsewhere, scope, signal, loading ?? new LoadingTime(LOADING))))
    return { found, elsewhere };
  const again = await referencesTo(target, scope, signal);
  return { found: again, elsewhere: elsewhere.filter(leftOut(again)) };
}

/** The references to a symbol at each place that declares it: clangd counts those to a `struct` tag and its `typedef` apart, Pyright those to a stub. */
export async function referencesTo(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<vscode.Location[]> {
  const asked = [target, ...(await twinsOf(target, scope, signal))].flatMap((one) =>
    positionsOf(one, scope).map((position) =>
      scope.providers.ask<vscode.Location>('references', one.document, signal, position),
    ),
  );
  const keyOf = ({ uri, range: { start } }: vscode.Location) => `${uri} ${start.line}:${start.character}`;
  return [...new Map((await Promise.all(asked)).flat().map((one) => [keyOf(one), one])).values()];
}

/** Loads the first files that are not loaded yet. @returns whether one was loaded @throws CancelledError */
async function loadSome(
  lines: readonly SearchLine[],
  scope: LanguageScope,
  signal: AbortSignal,
  loading: LoadingTime,
): Promise<boolean> {
  if (lines.length === 0) return false;
  let isLoaded = false;
  await loading.take(signal, async (limit) => {
    const open = new Set(scope.vscode.workspace.textDocuments.map(({ uri }) => scope.files.displayPath(uri)));
    const paths = pathsOf(lines).filter((path) => !open.has(path) && !isNotebookPath(path));
    await inParallel(paths.slice(0, MOST_LOADED), LOADED_AT_ONCE, async (path) => {
      if (limit.aborted) return;
      const document = await loadFile(path, scope, limit).catch(() => {});
      if (!document) return;
      isLoaded = true;
      // A server that has answered about a file has read it.
      await scope.providers.ask('symbols', document, limit).catch(() => {});
    });
  });
  throwIfCancelled(signal);
  return isLoaded;
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
  if (isOfOneFile(languageId)) {
    const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
    const line = (await files.lines(location, [position.line])).get(position.line) ?? '';
    const found: SearchLine[] = [];
    for (const where of searchesFor(line, position.character))
      found.push(...(await files.search({ ...how, ...where }, signal)));
    return found.filter(({ hit }) => hit);
  }
  // In JSON and Markdown a word says nothing.
  if (ownServersOf(vscode, languageId).length > 0) return [];
  return (await isLocal(target, places, scope, signal)) ? [] : linesNaming(target, scope, signal);
}

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

const pathsOf = (lines: readonly SearchLine[]): string[] => [...new Set(lines.map(({ path }) => path))];

/** A note on the lines that an answer leaves out; undefined if there are none. */
export function noteOnElsewhere(lines: readonly LeftLine[], { document }: Target): string | undefined {
  const notebooks = pathsOf(lines).filter(isNotebookPath);
  const others = lines.filter(({ path }) => !isNotebookPath(path));
  const unresolved = others.filter((one) => one.unresolved !== undefined);
  const rest = others.filter((one) => one.unresolved === undefined);
  const notes = [noteOnLines(rest, document), noteOnUnresolved(unresolved), noteOnNotebooks(notebooks)];
  return notes.filter(Boolean).join(' ') || undefined;
}

function noteOnLines(lines: readonly SearchLine[], { languageId }: vscode.TextDocument): string | undefined {
  if (lines.length === 0) return undefined;
  const verb = lines.length === 1 ? 'has' : 'have';
  const said = `${verb} the name too (${firstOf(lines.map(({ path, line }) => `${visible(path)}:${line}`))})`;
  const count = counted(lines.length, 'line');
  if (isTypeScript(languageId))
    return `Incomplete: TypeScript has not loaded all projects yet; ${count} of others ${said}. Call again.`;
  if (isOfOneFile(languageId))
    return `The language server of ${languageId} knows this file only: ${count} of other files ${said}.`;
  return `${count} ${said}, in code or comments: the language server reported no use there.`;
}

function noteOnUnresolved(lines: readonly LeftLine[]): string | undefined {
  const [first] = lines;
  if (first?.unresolved === undefined) return undefined;
  const places = firstOf(lines.map(({ path, line }) => `${visible(path)}:${line}`));
  const name = visible(first.unresolved);
  return `Incomplete: ${counted(lines.length, 'line')} with the name in files that import what TypeScript does not find, such as "${name}" (${places}): install or build it, then call again.`;
}

const noteOnNotebooks = (paths: readonly string[]): string | undefined =>
  paths.length === 0
    ? undefined
    : `${counted(paths.length, 'notebook has', 'notebooks have')} the name too (${firstOf(paths.map(visible))}): cells are not looked at. read_file shows them.`;
