import type * as vscode from 'vscode';
import { ifUserError, NotFoundError, throwIfCancelled, UserError } from '../../../core/errors.ts';
import { isTestFile } from '../../../core/testFiles.ts';
import { within } from '../../../util/deadline.ts';
import { inParallel } from '../../../util/inParallel.ts';
import { changedLines } from '../../git/changedLines.ts';
import { requireRepositories } from '../../git/gitApi.ts';
import { readChanges } from '../../git/sourceControl.ts';
import type { Scope } from '../../scope.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { touchedSymbols } from './touchedSymbols.ts';

/** Files that are loaded, and symbols that are returned, at most. */
export const MOST = 100;
const AT_ONCE = 8;
/** How long Git may take to look at the files, in milliseconds. */
const GIT_TIME = 5_000;
/** Imports, exports and statements at the top: what they break has no symbol here whose uses could be found. */
const OUTSIDE = 'Changed outside of symbols (what that broke: get_diagnostics {"path":"."})';

/** Something to say of a file or symbol, besides its uses. */
export interface Remark {
  about: string;
  name: string;
}

interface ChangedFile {
  path: string;
  /** Whether its symbols are known. */
  isChecked: boolean;
  targets: Target[];
  remark?: Remark;
}

export interface ChangedSymbols {
  /** Those in tests are last. */
  targets: Target[];
  files: ChangedFile[];
  isCut: boolean;
}

/**
 * The symbols that the changes since the last commit touch; all at the top level of a file that is new, or named and unchanged.
 *
 * @param named paths; undefined for all files with changes, unsaved text included
 * @throws UserError if there is no Git to ask for the changes, CancelledError
 */
export async function changedSymbols(
  named: readonly string[] | undefined,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<ChangedSymbols> {
  const paths = [...new Set(named ?? (await uncommitted(scope)))];
  paths.sort((a, b) => Number(isTestFile(a)) - Number(isTestFile(b)));
  const found = await inParallel(paths.slice(0, MOST), AT_ONCE, (path) =>
    changedFile(path, named !== undefined, scope, signal).catch((error): ChangedFile => {
      if (!(error instanceof UserError)) throw error;
      const about = error instanceof NotFoundError && !named ? 'Deleted' : `Not checked (${error.message})`;
      return { path, isChecked: false, targets: [], remark: { about, name: path } };
    }),
  );
  const files = [...new Map(found.flatMap((one) => (one ? [[one.path, one] as const] : []))).values()];
  const targets = files.flatMap((file) => file.targets);
  return {
    targets: targets.slice(0, MOST),
    files,
    isCut: paths.length > MOST || targets.length > MOST,
  };
}

/** Undefined if it is unchanged, and not named. @throws UserError if its symbols cannot be found, CancelledError */
async function changedFile(
  path: string,
  isNamed: boolean,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<ChangedFile | undefined> {
  throwIfCancelled(signal);
  const location = await (isNamed ? scope.files.locate(path) : scope.files.locateShown(path));
  const lines = await changedLines(location, scope).catch(ifUserError(undefined));
  const isUnchanged = lines?.length === 0;
  if (isUnchanged && !isNamed) return undefined;
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0) throw new UserError(scope.providers.why('symbols', outline.document));
  const touched = touchedSymbols(outline, isUnchanged ? undefined : lines);
  const targets = touched.map((one) => targetOf(one, scope));
  const remark = { about: OUTSIDE, name: location.path };
  return { path: location.path, isChecked: true, targets, ...(targets.length === 0 && { remark }) };
}

/** The files with changes, in Git or unsaved. @throws UserError without Git */
async function uncommitted({ vscode, files }: Scope): Promise<string[]> {
  await refreshed(vscode);
  const { repositories } = await readChanges({ vscode, files }).catch((error) => {
    throw error instanceof UserError ? new UserError(`${error.message} Or pass paths.`) : error;
  });
  const dirty = vscode.workspace.textDocuments.filter((one) => one.isDirty && !one.isUntitled);
  const unsaved = await Promise.all(dirty.map(({ uri }) => files.permitted(uri)));
  return [...repositories.flatMap(({ changes }) => changes), ...unsaved].flatMap((one) => one?.path ?? []);
}

/** Has Git look at the files: an edit of a moment ago may be unknown to it. */
async function refreshed(code: typeof vscode): Promise<void> {
  const repositories = await requireRepositories(code).catch(ifUserError([]));
  await within(Promise.allSettled(repositories.map((one) => one.status())), GIT_TIME, undefined);
}
