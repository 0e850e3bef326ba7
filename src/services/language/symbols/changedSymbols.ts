import type * as vscode from 'vscode';
import { TYPES } from '../../../core/kinds.ts';
import { ifUserError, NotFoundError, throwIfCancelled, UserError } from '../../../core/messages.ts';
import { within } from '../../../util/clock.ts';
import { type DiffPart, differences } from '../../../util/lineDiff.ts';
import { inParallel } from '../../../util/turns.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isBytes, textOf, versionsOf } from '../../git/fileDiff.ts';
import { readChanges, requireRepositories } from '../../git/gitApi.ts';
import type { Scope } from '../../scope.ts';
import type { LanguageScope } from '../providers.ts';
import { type Candidate, type Target, targetOf } from './candidates.ts';
import { type FileSymbol, type Outline, outlineOf } from './outline.ts';

/** Files that are loaded, and symbols that are returned, at most. */
export const MOST_CHANGED = 100;
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
  isChecked: boolean;
  targets: Target[];
  remark?: Remark;
}

interface ChangedSymbols {
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
  const found = await inParallel(paths.slice(0, MOST_CHANGED), AT_ONCE, (path) =>
    changedFile(path, named !== undefined, scope, signal).catch((error): ChangedFile => {
      if (!(error instanceof UserError)) throw error;
      const about = error instanceof NotFoundError && !named ? 'Deleted' : `Not checked (${error.message})`;
      return { path, isChecked: false, targets: [], remark: { about, name: path } };
    }),
  );
  const files = [...new Map(found.flatMap((one) => (one ? [[one.path, one] as const] : []))).values()];
  const targets = files.flatMap((file) => file.targets);
  return {
    targets: targets.slice(0, MOST_CHANGED),
    files,
    isCut: paths.length > MOST_CHANGED || targets.length > MOST_CHANGED,
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

const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing)\/|[._-](test|tests|spec|specs|cy)\.\w+$|(^|\/)test_[^/]*\.py$|(Test|Tests|Spec)\.(java|kt|cs|swift|scala|php)$/;

/** Whether a file holds tests, by its path. */
export const isTestFile = (path: string): boolean => TEST.test(path);

/** Kinds whose members are symbols of their own; of a function, the local names are not. */
const SPACES = new Set(['file', 'module', 'namespace', 'package']);
const OWNERS = new Set([...TYPES, 'object']);
/** Of JSON and Markdown, for example. */
const DATA = new Set(['string', 'number', 'boolean', 'array', 'key', 'null']);
/** TypeScript's names of functions without one. */
const UNNAMED = / callback$|^<.*>$/;

/**
 * The innermost named symbols around lines: a line of a method counts for the method, any other line of its class for the class.
 *
 * @param lines 1-based; 7.5 is the gap between two; undefined for all symbols at the top level
 */
export function touchedSymbols(outline: Outline, lines: readonly number[] | undefined): Candidate[] {
  const touched = new Set(lines ? innermost(outline.symbols, lines) : topLevel(outline.symbols));
  const isMeant = (symbol: FileSymbol) =>
    touched.has(symbol) && !DATA.has(symbol.kind) && !UNNAMED.test(symbol.name);
  return outline.all.filter(({ symbol }) => isMeant(symbol)).map((one) => ({ ...one, outline }));
}

/** @param line 1-based */
export const contains = ({ line: named, startLine = named, endLine }: FileSymbol, line: number): boolean =>
  startLine <= line && line <= endLine;

/** @param lines in ascending order: a file may have as many as symbols */
function innermost(symbols: readonly FileSymbol[], lines: readonly number[]): FileSymbol[] {
  return symbols.flatMap((symbol) => {
    const { kind, children = [] } = symbol;
    const inside = linesIn(symbol, lines);
    const isSpace = SPACES.has(kind);
    if (inside.length === 0) return [];
    if (!isSpace && !OWNERS.has(kind)) return [symbol];
    const ofChildren = new Set(children.flatMap((child) => linesIn(child, inside)));
    const isOwn = inside.length > ofChildren.size;
    return [...(isOwn && !isSpace ? [symbol] : []), ...innermost(children, inside)];
  });
}

const linesIn = ({ line, startLine = line, endLine }: FileSymbol, lines: readonly number[]): number[] =>
  lines.slice(countBelow(lines, startLine), countBelow(lines, endLine + 0.25));

/** How many ascending numbers are less than a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] as number) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

const topLevel = (symbols: readonly FileSymbol[]): FileSymbol[] =>
  symbols.flatMap((symbol) => (SPACES.has(symbol.kind) ? topLevel(symbol.children ?? []) : [symbol]));

/** Other lines are often taken from a neighbour by a diff: a changed one says nothing. */
const SIGNIFICANT = /[^\s)\]};,]/;

/**
 * The lines of a file in the editor that differ from the last commit, 1-based; 7.5 if lines between 7 and 8 were deleted.
 *
 * @returns undefined if the last commit does not have the file, or if it is not text
 * @throws UserError
 */
async function changedLines(location: Location, scope: Scope): Promise<number[] | undefined> {
  const [then, now] = await versionsOf(location, scope);
  if (then === 'none' || isBytes(then) || isBytes(now)) return undefined;
  return changedLinesOf(textOf(then), textOf(now));
}

/** The lines of the second text that differ from the first, 1-based; 7.5 if lines between 7 and 8 were deleted. Both have `\n`. */
export function changedLinesOf(then: string, now: string): number[] {
  const parts = differences(then, now);
  let next = 1;
  return parts.flatMap((part, index) => {
    const first = next;
    const following = parts[index + 1];
    const isReplaced = following?.added && counts(following);
    if (part.removed) return counts(part) && !isReplaced ? [first - 0.5] : [];
    const lines = linesOf(part);
    next += lines.length;
    return part.added ? lines.flatMap((line, at) => (SIGNIFICANT.test(line) ? [first + at] : [])) : [];
  });
}

const linesOf = ({ value }: DiffPart): string[] => value.replace(/\n$/, '').split('\n');

const counts = ({ value }: DiffPart): boolean => SIGNIFICANT.test(value);
