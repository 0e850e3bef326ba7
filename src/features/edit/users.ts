/** Files that use what an edit changes: it may break them, though it does not touch them. */
import type * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError } from '../../core/messages.ts';
import { checkersOf, ownServersOf } from '../../services/language/checkers.ts';
import { importingFiles } from '../../services/language/importLines.ts';
import { type Target, targetOf } from '../../services/language/symbols/candidates.ts';
import { changedLinesOf, touchedSymbols } from '../../services/language/symbols/changedSymbols.ts';
import {
  LoadingTime,
  referencesEverywhere,
  referencesTo,
} from '../../services/language/symbols/elsewhere.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { inParallel } from '../../util/turns.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';

/** Symbols whose uses are searched at once: each search starts a process, and may load files. */
const AT_ONCE = 4;

/** Files that only have the name of what changes, and are checked, at most. */
const MOST_NAMED = 10;

export interface Users {
  /** Those that use what changes come first. */
  files: readonly Location[];
  /** Paths of those that only have its name: the index of a server may be older than the text. */
  named: ReadonlySet<string>;
  /** Whether all that a server knows were found. */
  areFound: boolean;
  /** Whether, besides, no other file has the name that the server has not loaded. */
  areAll: boolean;
}

/** How far the search goes. */
interface Reach {
  /** Milliseconds. */
  ms: number;
  /** Edited files and symbols that are looked at. */
  edited: number;
  /** Files that are checked. */
  users: number;
}

/** The search that an edit waits for, and the one that tells whether it may be kept. */
export const SHORT: Reach = { ms: 10_000, edited: 10, users: 20 };
export const LONG: Reach = { ms: 20_000, edited: 50, users: 100 };

/**
 * The other files that use the symbols on changed lines, or those of deleted files, or import what is moved. Call it before the edit. Never rejects.
 *
 * @param diffs as the user is asked about them
 */
export async function usersOf(
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  diffs: readonly FileDiff[],
  ctx: Context,
  signal: AbortSignal,
  reach: Reach,
): Promise<Users> {
  const limit = AbortSignal.any([signal, timeout(reach.ms)]);
  let areFound = true;
  const missed = (error: unknown) => {
    areFound = false;
    return ifUserError([])(error);
  };
  const look = async () => {
    const sources = sourcesOf(edits, operations, ctx);
    const symbols = sources
      .slice(0, reach.edited)
      .map(({ location, isDeleted }) =>
        symbolsIn(location, isDeleted ? undefined : diffs, ctx, limit).catch(missed),
      );
    const touched = (await Promise.all(symbols)).flat();
    const inBody = new Set((await inParallel(touched, AT_ONCE, (one) => onlyIfBody(one, diffs, ctx))).flat());
    // A change below its head seldom breaks who uses a symbol: a rename makes many of these.
    const targets = [...touched].sort((a, b) => Number(inBody.has(a)) - Number(inBody.has(b)));
    const loading = new LoadingTime();
    const uses = inParallel(targets.slice(0, reach.edited), AT_ONCE, (target) =>
      usesOf(target, inBody.has(target), ctx, limit, loading).catch(missed),
    );
    const moves = operations.filter((one) => one.type === 'move');
    const importing = moves.map(({ location, target }) =>
      importingFiles(location, target, ctx, limit).catch(missed),
    );
    const found: Use[] = [...(await uses), ...(await Promise.all(importing))].flat();
    const leaving = operations.filter((one) => one.type === 'move' || one.type === 'delete');
    const own = new Set([...edits, ...leaving].map(({ location }) => `${location.uri}`));
    const others = found.filter(({ uri }) => !own.has(`${uri}`));
    const using = new Map(others.flatMap((one) => (one.isNamed ? [] : [[`${one.uri}`, one.uri] as const])));
    const named = new Map(
      others.flatMap((one) => (using.has(`${one.uri}`) ? [] : [[`${one.uri}`, one.uri] as const])),
    );
    const permitted = async (uris: Iterable<vscode.Uri>, most: number) =>
      (await Promise.all([...uris].slice(0, most).map((uri) => ctx.files.permitted(uri)))).filter(
        (one) => one !== undefined,
      );
    const sure = await permitted(using.values(), reach.users);
    const doubtful = await permitted(named.values(), MOST_NAMED);
    const heads = touched.length - inBody.size;
    if (touched.length > 0) areFound &&= sources.length <= reach.edited && heads <= reach.edited;
    areFound &&= using.size <= reach.users;
    const isLoaded = (uri: vscode.Uri) =>
      ctx.vscode.workspace.textDocuments.some((one) => `${one.uri}` === `${uri}`);
    return {
      files: [...sure, ...doubtful],
      named: new Set(doubtful.map(({ path }) => path)),
      areFound,
      areAll: areFound && [...named.values()].slice(MOST_NAMED).every(isLoaded),
    };
  };
  return (
    (await unlessAborted(
      look().catch(() => NONE),
      limit,
    )) ?? NONE
  );
}

/** Nothing is known. */
export const NONE: Users = { files: [], named: new Set(), areFound: false, areAll: false };

interface Source {
  location: Location;
  isDeleted: boolean;
}

/**
 * Deletions first, and files of languages without a server last: of a file that is not loaded the language is not known yet. None
 * of VS Code's own servers for CSS, HTML, JSON and Markdown, which report nothing of users.
 */
function sourcesOf(
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  { files, vscode }: Context,
): Source[] {
  const all: Source[] = [];
  for (const one of operations)
    if (one.type === 'delete') all.push({ location: one.location, isDeleted: true });
  for (const { location } of edits) all.push({ location, isDeleted: false });
  const [served, others]: [Source[], Source[]] = [[], []];
  for (const source of all) {
    const language = files.openDocument(source.location)?.languageId;
    if (language !== undefined && ownServersOf(vscode, language).length > 0) continue;
    (language === undefined || checkersOf(vscode, language).length > 0 ? served : others).push(source);
  }
  return [...served, ...others];
}

/** The lines that change, 1-based; none if it is left out because nothing would change. */
function changedIn({ path }: Location, diffs: readonly FileDiff[]): number[] {
  const diff = diffs.find((one) => one.path === path && one.operation?.type !== 'delete');
  return diff ? changedLinesOf(diff.after, diff.before) : [];
}

/** @param diffs undefined for all symbols at the top level. @throws UserError if the language server does not tell */
async function symbolsIn(
  location: Location,
  diffs: readonly FileDiff[] | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<Target[]> {
  const lines = diffs && changedIn(location, diffs);
  if (lines?.length === 0) return [];
  const document = await ctx.files.loadDocument(location).catch(ifUserError(undefined));
  if (!document || ownServersOf(ctx.vscode, document.languageId).length > 0) return [];
  const outline = await outlineOf(location, ctx, signal);
  return touchedSymbols(outline, lines).map((one) => targetOf(one, ctx));
}

/** A file that uses a symbol, or that only has its name. */
interface Use {
  uri: vscode.Uri;
  isNamed?: true;
}

/**
 * The files that use a symbol. If more than its body changes, also those that have its name: of those that are not loaded the
 * server may not know. @throws UserError, CancelledError
 */
async function usesOf(
  target: Target,
  isBody: boolean,
  ctx: Context,
  signal: AbortSignal,
  loading: LoadingTime,
): Promise<Use[]> {
  if (isBody) return referencesTo(target, ctx, signal);
  const { found, elsewhere } = await referencesEverywhere(target, ctx, signal, loading);
  const paths = [...new Set(elsewhere.map(({ path }) => path))];
  const located = await Promise.all(
    paths.map((path) => ctx.files.locateShown(path).catch(ifUserError(undefined))),
  );
  const named = located.filter((one) => one !== undefined);
  return [...found, ...named.map(({ uri }) => ({ uri, isNamed: true as const }))];
}

/** What ends the head of a declaration, at the end of a line. */
const HEAD_END = /[{:]\s*$/;

/** The symbol, if all changed lines are below the head of its declaration. */
async function onlyIfBody(target: Target, diffs: readonly FileDiff[], { files }: Context): Promise<Target[]> {
  const { location, symbol } = target;
  const changed = changedIn(location, diffs);
  if (!symbol || changed.length === 0) return [];
  const { line, endLine } = symbol;
  const numbers = Array.from({ length: endLine - line }, (_, index) => line - 1 + index);
  const head = [...(await files.lines(location, numbers))].find(([, text]) => HEAD_END.test(text));
  return head && changed.every((one) => one > head[0] + 1) ? [target] : [];
}
