/** What the answer of a language server about a symbol leaves out: a server knows the files of its project, or those that are open. */
import type * as vscode from 'vscode';
import { FUNCTIONS, isCFamily } from '../../../core/kinds.ts';
import { counted, firstOf, throwIfCancelled, visible } from '../../../core/messages.ts';
import { clock, withLimit } from '../../../util/clock.ts';
import { inParallel, KeyedQueue } from '../../../util/turns.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { isTypeScript, ownServersOf } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { positionsOf, type Target } from './candidates.ts';
import { outlineOf } from './outline.ts';
import type { ServerPlace } from './places.ts';
import { isOfOneFile, searchesFor } from './styleNames.ts';
import { LOADED_AT_ONCE, linesNaming, loadFile } from './symbolFiles.ts';

/** Files that a server is made to load for one question, at most, and how long that may take, in milliseconds. */
const MOST_LOADED = 12;
const LOADING = 5_000;

export interface Everywhere {
  found: readonly vscode.Location[];
  /** Lines with the name in files that the answer leaves out. */
  elsewhere: readonly SearchLine[];
}

/** The time for loading files, of several questions together: the servers' answers do not use it up. */
export class LoadingTime {
  readonly #turns = new KeyedQueue();
  #left: number;

  /** @param ms milliseconds */
  constructor(ms = LOADING) {
    this.#left = ms;
  }

  /** Loads at its turn, if there is time left. */
  take(signal: AbortSignal, load: (limit: AbortSignal) => Promise<void>): Promise<void> {
    return this.#turns.take(this, async () => {
      const start = clock.now();
      if (this.#left > 0) await withLimit(this.#left, signal, load);
      this.#left -= clock.now() - start;
    });
  }
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
  loading = new LoadingTime(),
): Promise<Everywhere> {
  const leftOut = (places: readonly ServerPlace[]) => {
    const known = new Map(places.map(({ uri }) => [scope.files.displayPath(uri), new Set<number>()]));
    for (const { uri, range } of places) known.get(scope.files.displayPath(uri))?.add(range.start.line + 1);
    return ({ path, line, text }: SearchLine) => {
      const lines = known.get(path);
      if (!lines) return path !== target.location.path;
      return line !== undefined && mayBeInactive(target) && !lines.has(line) && !C_COMMENT.test(text);
    };
  };
  const found = await referencesTo(target, scope, signal);
  const isAlone = isOfOneFile(target.document.languageId);
  const lines = found.length > 0 || isAlone ? await linesWith(target, found, scope, signal) : [];
  const elsewhere = lines.filter(leftOut(found));
  if (isAlone || !(await loadSome(elsewhere, scope, signal, loading))) return { found, elsewhere };
  const again = await referencesTo(target, scope, signal);
  return { found: again, elsewhere: elsewhere.filter(leftOut(again)) };
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
    const paths = [...new Set(lines.map(({ path }) => path))].filter((path) => !open.has(path));
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
  // TypeScript's projects are loaded before. In JSON and Markdown a word says nothing.
  if (isTypeScript(languageId) || ownServersOf(vscode, languageId).length > 0) return [];
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

/** A note on the lines that an answer leaves out; undefined if there are none. */
export function noteOnElsewhere(lines: readonly SearchLine[], { document }: Target): string | undefined {
  if (lines.length === 0) return undefined;
  const verb = lines.length === 1 ? 'has' : 'have';
  const said = `${verb} the name too (${firstOf(lines.map(({ path, line }) => `${visible(path)}:${line}`))})`;
  const count = counted(lines.length, 'line');
  if (isOfOneFile(document.languageId))
    return `The language server of ${document.languageId} knows this file only: ${count} of other files ${said}.`;
  return `${count} ${said}, in code or comments: the language server reported no use there.`;
}
