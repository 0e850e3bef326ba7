import { ifUserError, NotFoundError, throwIfCancelled, UserError } from '../../../core/errors.ts';
import { isTestFile } from '../../../core/testFiles.ts';
import { changedLines } from '../../git/changedLines.ts';
import { readChanges } from '../../git/sourceControl.ts';
import type { Scope } from '../../scope.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { touchedSymbols } from './touchedSymbols.ts';

/** Files that are loaded, and symbols that are returned, at most. */
export const MOST = 100;

export interface ChangedSymbols {
  targets: Target[];
  /** The changed files; as the targets, those of tests last. */
  paths: string[];
  /** What else there is to say of files. */
  remarks: { about: string; name: string }[];
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
  const all = [...new Set(named ?? (await uncommitted(scope)))];
  all.sort((a, b) => Number(isTestFile(a)) - Number(isTestFile(b)));
  const found: ChangedSymbols = { targets: [], paths: [], remarks: [], isCut: all.length > MOST };
  for (const path of all.slice(0, MOST)) {
    throwIfCancelled(signal);
    await addFile(found, path, named !== undefined, scope, signal).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      const isDeleted = error instanceof NotFoundError && !named;
      found.remarks.push({ about: isDeleted ? 'Deleted' : `Not checked (${error.message})`, name: path });
    });
    if (found.targets.length > MOST) return { ...found, targets: found.targets.slice(0, MOST), isCut: true };
  }
  return found;
}

/** @throws UserError if its symbols cannot be found, CancelledError */
async function addFile(
  found: ChangedSymbols,
  path: string,
  isNamed: boolean,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<void> {
  const location = await scope.files.locate(path);
  if (found.paths.includes(location.path)) return;
  const lines = await changedLines(location, scope).catch(ifUserError(undefined));
  const isUnchanged = lines?.length === 0;
  if (isUnchanged && !isNamed) return;
  found.paths.push(location.path);
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0) throw new UserError(scope.providers.why('symbols', outline.document));
  const touched = touchedSymbols(outline, isUnchanged ? undefined : lines);
  if (touched.length === 0) found.remarks.push({ about: 'Changed outside of symbols', name: location.path });
  found.targets.push(...touched.map((one) => targetOf(one, scope)));
}

/** The files with changes, in Git or unsaved. @throws UserError without Git */
async function uncommitted({ vscode, files }: Scope): Promise<string[]> {
  const { repositories } = await readChanges({ vscode, files }).catch((error) => {
    throw error instanceof UserError ? new UserError(`${error.message} Or pass paths.`) : error;
  });
  const dirty = vscode.workspace.textDocuments.filter((one) => one.isDirty && !one.isUntitled);
  const unsaved = await Promise.all(dirty.map(({ uri }) => files.permitted(uri)));
  return [...repositories.flatMap(({ changes }) => changes), ...unsaved].flatMap((one) => one?.path ?? []);
}
