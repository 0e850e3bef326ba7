/** Files that use what an edit changes: it may break them, though it does not touch them. */
import type * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError, visible } from '../../core/messages.ts';
import { ownServersOf } from '../../services/language/checkers.ts';
import { type Target, targetOf } from '../../services/language/symbols/candidates.ts';
import { changedLinesOf, touchedSymbols } from '../../services/language/symbols/changedSymbols.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { type Checks, checksWithin, newProblems, problemChangesOf } from '../language/problemChanges.ts';

/** How long to look for them before the edit, and to wait for their problems after it, in milliseconds. */
const TIME = 2_000;
const PATIENCE = 8_000;
/** Edited files and symbols that are looked at, and files that are checked. */
const MOST_EDITED = 10;
const MOST_SYMBOLS = 10;
const MOST_USERS = 20;

/**
 * The other files that use the symbols on changed lines, or those of deleted files. Call it before the edit. Never rejects.
 *
 * @param diffs as the user is asked about them
 */
export async function usersOf(
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  diffs: readonly FileDiff[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Location[]> {
  const limit = AbortSignal.any([signal, timeout(TIME)]);
  const look = async () => {
    const edited = edits.map(({ location }) => location);
    const deleted = operations.flatMap((one) => (one.type === 'delete' ? [one.location] : []));
    const symbolsOf = (location: Location, lines?: readonly number[]) =>
      symbolsIn(location, lines, ctx, limit).catch(ifUserError([]));
    const targets = await Promise.all([
      ...edited.slice(0, MOST_EDITED).map((location) => symbolsOf(location, changedIn(location, diffs))),
      ...deleted.slice(0, MOST_EDITED).map((location) => symbolsOf(location)),
    ]);
    const own = new Set([...edited, ...deleted].map(({ uri }) => `${uri}`));
    return filesUsing(targets.flat().slice(0, MOST_SYMBOLS), own, ctx, limit);
  };
  const looking = look().catch((): Location[] => []);
  return (await unlessAborted(looking, limit)) ?? [];
}

/** The lines that change, 1-based; none if it is left out because nothing would change. */
function changedIn({ path }: Location, diffs: readonly FileDiff[]): number[] {
  const diff = diffs.find((one) => one.path === path && one.operation?.type !== 'delete');
  return diff ? changedLinesOf(diff.after, diff.before) : [];
}

/** @param lines 1-based; undefined for all symbols at the top level */
async function symbolsIn(
  location: Location,
  lines: readonly number[] | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<Target[]> {
  const { files, vscode } = ctx;
  if (lines?.length === 0) return [];
  const document = await files.loadDocument(location);
  // VS Code's own servers for CSS, HTML, JSON and Markdown report nothing of users.
  if (ownServersOf(vscode, document.languageId).length > 0) return [];
  const outline = await outlineOf(location, ctx, signal);
  return touchedSymbols(outline, lines).map((one) => targetOf(one, ctx));
}

async function filesUsing(
  targets: readonly Target[],
  own: ReadonlySet<string>,
  { files, providers }: Context,
  signal: AbortSignal,
): Promise<Location[]> {
  const found = await Promise.all(
    targets.map(({ document, position }) =>
      providers.ask<vscode.Location>('references', document, signal, position).catch(ifUserError([])),
    ),
  );
  const uris = new Map(found.flat().map(({ uri }) => [`${uri}`, uri]));
  for (const key of own) uris.delete(key);
  const located = await Promise.all(
    [...uris.values()].slice(0, MOST_USERS).map((uri) => files.permitted(uri)),
  );
  return located.filter((one) => one !== undefined);
}

/** Lines of text with what they have now that they had not before. */
export async function brokenUsers(
  users: readonly Location[],
  before: Checks,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  if (users.length === 0) return [];
  const { fresh } = problemChangesOf(before, await checksWithin(PATIENCE, users, ctx, signal));
  return newProblems('New problems in files that use it', fresh);
}

/** With keepIf nothing is taken back for the old errors of other files; but that nothing new is there is not known either. */
export const noteOnUsers = (unknown: readonly Location[]): string[] =>
  unknown.length === 0
    ? []
    : [
        `Not checked, for want of a report before the edit: ${unknown.map(({ path }) => visible(path)).join(', ')}.`,
      ];
