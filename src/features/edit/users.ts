/** Files that use what an edit changes: it may break them, though it does not touch them. */
import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { changedLinesOf } from '../../services/git/changedLines.ts';
import { ownServersOf } from '../../services/language/checkers.ts';
import { type Target, targetOf } from '../../services/language/symbols/candidates.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { touchedSymbols } from '../../services/language/symbols/touchedSymbols.ts';
import { timeout } from '../../util/clock.ts';
import { within } from '../../util/deadline.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { type Checks, changesOf, checksWithin, newProblems } from '../language/problemChanges.ts';

/** How long to look for them before the edit, and to wait for their problems after it, in milliseconds. */
const TIME = 2_000;
const PATIENCE = 8_000;
/** Edited files and symbols that are looked at, and files that are checked. */
const MOST_EDITED = 10;
const MOST_SYMBOLS = 10;
const MOST_USERS = 20;

/** The other files that use the symbols on changed lines, or those of deleted files. Call it before the edit. Never rejects. */
export async function usersOf(
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Location[]> {
  const limit = AbortSignal.any([signal, timeout(TIME)]);
  const look = async () => {
    const deleted = operations.flatMap((one) => (one.type === 'delete' ? [one.location] : []));
    const targets = await Promise.all([
      ...edits.slice(0, MOST_EDITED).map((edit) => changedBy(edit, ctx, limit).catch(ifUserError([]))),
      ...deleted
        .slice(0, MOST_EDITED)
        .map((location) => symbolsIn(location, undefined, ctx, limit).catch(ifUserError([]))),
    ]);
    const own = new Set([...edits.map(({ location }) => location), ...deleted].map(({ uri }) => `${uri}`));
    return filesUsing(targets.flat().slice(0, MOST_SYMBOLS), own, ctx, limit);
  };
  return within(
    look().catch((): Location[] => []),
    TIME,
    [],
  );
}

async function changedBy(
  { location, ...plan }: FileEdit,
  ctx: Context,
  signal: AbortSignal,
): Promise<Target[]> {
  const { before, after } = await ctx.files.edits.preview(location, plan);
  return symbolsIn(location, changedLinesOf(after, before), ctx, signal);
}

/** @param lines 1-based; undefined for all symbols at the top level */
async function symbolsIn(
  location: Location,
  lines: readonly number[] | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<Target[]> {
  const { files, vscode } = ctx;
  const document = files.openDocument(location) ?? (await files.loadDocument(location));
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
  const { fresh } = changesOf(before, await checksWithin(PATIENCE, users, ctx, signal));
  return newProblems('New problems in files that use it', fresh);
}
