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

export interface Users {
  files: readonly Location[];
  /** Whether there are no others. */
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
  let areAll = true;
  const missed = (error: unknown) => {
    areAll = false;
    return ifUserError([])(error);
  };
  const look = async () => {
    const sources = sourcesOf(edits, operations, ctx);
    const symbols = sources
      .slice(0, reach.edited)
      .map(({ location, isDeleted }) =>
        symbolsIn(location, isDeleted ? undefined : diffs, ctx, limit).catch(missed),
      );
    const targets = (await Promise.all(symbols)).flat();
    const loading = new LoadingTime();
    const uses = inParallel(targets.slice(0, reach.edited), AT_ONCE, (target) =>
      usesOf(target, diffs, ctx, limit, loading).catch(missed),
    );
    const moves = operations.filter((one) => one.type === 'move');
    const importing = moves.map(({ location, target }) =>
      importingFiles(location, target, ctx, limit).catch(missed),
    );
    const found: Use[] = [...(await uses), ...(await Promise.all(importing))].flat();
    found.sort((a, b) => Number(a.isDoubtful ?? false) - Number(b.isDoubtful ?? false));
    const uris = new Map(found.map(({ uri }) => [`${uri}`, uri]));
    const sure = new Set(found.flatMap(({ uri, isDoubtful }) => (isDoubtful ? [] : [`${uri}`])));
    const leaving = operations.filter((one) => one.type === 'move' || one.type === 'delete');
    for (const { location } of [...edits, ...leaving])
      for (const all of [uris, sure]) all.delete(`${location.uri}`);
    const first = [...uris.values()].slice(0, reach.users);
    const permitted = await Promise.all(first.map((uri) => ctx.files.permitted(uri)));
    if (targets.length > 0) areAll &&= sources.length <= reach.edited && targets.length <= reach.edited;
    return {
      files: permitted.filter((one) => one !== undefined),
      areAll: areAll && sure.size <= reach.users,
    };
  };
  const none: Users = { files: [], areAll: false };
  const looked = look().catch(() => none);
  return (await unlessAborted(looked, limit)) ?? none;
}

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

/** A file that uses a symbol, or that only has its name: the index of a server may be older than the text. */
interface Use {
  uri: vscode.Uri;
  isDoubtful?: boolean;
}

/**
 * The files that use a symbol. If more than its body changes, also those that have its name: of those that are not loaded the
 * server may not know. @throws UserError, CancelledError
 */
async function usesOf(
  target: Target,
  diffs: readonly FileDiff[],
  ctx: Context,
  signal: AbortSignal,
  loading: LoadingTime,
): Promise<Use[]> {
  const { location } = target;
  const changed = changedIn(location, diffs);
  const isBody = changed.length > 0 && (await areInBody(changed, target, ctx));
  if (isBody) return referencesTo(target, ctx, signal);
  const { found, elsewhere } = await referencesEverywhere(target, ctx, signal, loading);
  const paths = [...new Set(elsewhere.map(({ path }) => path))];
  const located = await Promise.all(
    paths.map((path) => ctx.files.locateShown(path).catch(ifUserError(undefined))),
  );
  const named = located.filter((one) => one !== undefined);
  return [...found, ...named.map((one) => ({ uri: one.uri, isDoubtful: !!ctx.files.openDocument(one) }))];
}

/** What ends the head of a declaration, at the end of a line. */
const HEAD_END = /[{:]\s*$/;

/** Whether all changed lines are below the head of a declaration. */
async function areInBody(changed: readonly number[], { location, symbol }: Target, { files }: Context) {
  if (!symbol) return false;
  const { line, endLine } = symbol;
  const numbers = Array.from({ length: endLine - line }, (_, index) => line - 1 + index);
  const head = [...(await files.lines(location, numbers))].find(([, text]) => HEAD_END.test(text));
  return head !== undefined && changed.every((one) => one > head[0] + 1);
}
