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
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { noteOn } from '../language/fileProblems.ts';
import { type Checks, checksWithin, newProblems, problemChangesOf } from '../language/problemChanges.ts';

/** How long to wait for their problems after the edit, in milliseconds. */
const PATIENCE = 8_000;

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
    const uses = targets
      .slice(0, reach.edited)
      .map((target) => usesOf(target, diffs, ctx, limit, loading).catch(missed));
    const moves = operations.filter((one) => one.type === 'move');
    const importing = moves.map(({ location, target }) =>
      importingFiles(location, target, ctx, limit).catch(missed),
    );
    const found: Use[] = [...(await Promise.all(uses)), ...(await Promise.all(importing))].flat();
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

/** Languages whose servers read other files from the disk, where an edit is only once it is saved: a compiler reads headers so. */
const READS_DISK = /^(c|cpp|cuda-cpp|objective-cp?p?)$/;

/** Whether it shows only once an edit is saved what it breaks in other files. */
export const areReadFromDisk = (locations: readonly Location[], { files }: Context): boolean =>
  locations.length > 1 && locations.some((one) => READS_DISK.test(files.openDocument(one)?.languageId ?? ''));

/**
 * Lines of text with what they have now that they had not before, and of which of them that is not known.
 *
 * @param operations that were done with the edit
 */
export async function brokenUsers(
  { files, areAll }: Users,
  operations: readonly Operation[],
  before: Checks,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  const unread = operations.length > 0 ? await notReadAgain(files, ctx) : [];
  const after = await checksWithin(PATIENCE, files, ctx, signal);
  const { fresh, unclear, unchecked, pending } = problemChangesOf(before, after);
  const late = files.filter((one) => !after.has(one.path) || unread.includes(one)).map(({ path }) => path);
  const note = noteOn(unchecked, [...pending, ...late]);
  return [
    ...newProblems('New problems in files that use it', fresh),
    ...newProblems('Problems in files that use it, new or from before', unclear),
    ...(note ? [note] : []),
    ...(areAll
      ? []
      : ['Not all files that use what changed were checked: call get_diagnostics {"path":"."}.']),
  ];
}

/** Servers of C notice that an included file came or went only as they read the file that includes it. @returns those in tabs, which they do not read again */
async function notReadAgain(
  files: readonly Location[],
  { files: all, language }: Context,
): Promise<Location[]> {
  const including = files.filter((one) => READS_DISK.test(all.openDocument(one)?.languageId ?? ''));
  const read = await Promise.all(including.map((one) => language.readAgain(one.uri)));
  return including.filter((_, index) => !read[index]);
}
