import type * as vscode from 'vscode';
import { ifUserError, NotFoundError, throwIfCancelled, UserError } from '../../../core/errors.ts';
import { TYPES } from '../../../core/kinds.ts';
import { wordPattern } from '../../../core/symbolPaths.ts';
import { within } from '../../../util/clock.ts';
import { inParallel } from '../../../util/queues.ts';
import { readChanges, requireRepositories } from '../../git/gitApi.ts';
import type { Scope } from '../../scope.ts';
import type { LanguageScope } from '../providers.ts';
import { type Candidate, type Target, targetOf } from '../symbols/candidates.ts';
import { isDefine } from '../symbols/cFamily.ts';
import { type FileSymbol, type Outline, outlineOf } from '../symbols/outline.ts';
import { isInBody } from './bodies.ts';
import { changedLinesOf, textsOf } from './changedTexts.ts';
import { type GoneNames, namesGone, namesOfDeleted } from './goneNames.ts';
import { isTestFile } from './testFiles.ts';

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
  /** Targets of which only the body of a function changed. */
  inBody?: Target[];
  /** Names that the last commit declares in the file, and the text does not. */
  gone?: GoneNames;
  remark?: Remark;
}

interface ChangedSymbols {
  /** Symbols of which only a body changed are last; before them, those of tests. */
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
    changedFile(path, named !== undefined, scope, signal).catch(async (error): Promise<ChangedFile> => {
      if (!(error instanceof UserError)) throw error;
      const isDeleted = error instanceof NotFoundError && !named;
      const about = isDeleted ? 'Deleted' : `Not checked (${error.message})`;
      const gone = isDeleted ? await namesOfDeleted(path, scope) : undefined;
      return { path, isChecked: false, targets: [], ...(gone && { gone }), remark: { about, name: path } };
    }),
  );
  const files = [...new Map(found.flatMap((one) => (one ? [[one.path, one] as const] : []))).values()];
  const inBody = new Set(files.flatMap((file) => file.inBody ?? []));
  const all = files.flatMap((file) => file.targets);
  const targets = all.sort((a, b) => Number(inBody.has(a)) - Number(inBody.has(b)));
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
  const texts = await textsOf(location, scope).catch(ifUserError(undefined));
  const lines = texts && changedLinesOf(...texts);
  const isUnchanged = lines?.length === 0;
  if (isUnchanged && !isNamed) return undefined;
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0) throw new UserError(scope.providers.why('symbols', outline.document));
  const innermost = touchedSymbols(outline, isUnchanged ? undefined : lines);
  const touched = texts ? [...innermost, ...withNewMembers(outline, innermost, texts[0])] : innermost;
  const targets = touched.map((one) => targetOf(one, scope));
  const inBody = await inParallel(targets, AT_ONCE, async (one) => {
    const own = one.symbol && lines ? linesIn(one.symbol, lines) : [];
    return (await isInBody(one, own, scope.files)) ? [one] : [];
  });
  const remark = { about: OUTSIDE, name: location.path };
  const gone = texts && namesGone(texts, outline);
  return {
    path: location.path,
    isChecked: true,
    targets,
    inBody: inBody.flat(),
    ...(gone && { gone }),
    ...(targets.length === 0 && { remark }),
  };
}

/** The interfaces of new members, which what implements them lacks. @param then the text without these */
function withNewMembers(outline: Outline, touched: readonly Candidate[], then: string): Candidate[] {
  const known = new Set(touched.map(({ symbol }) => symbol));
  const isNew = (one: FileSymbol) => known.has(one) && then.search(wordPattern(one.name)) < 0;
  const owners = outline.all.filter(
    ({ symbol: { kind, children } }) => kind === 'interface' && children?.some(isNew),
  );
  return owners.filter(({ symbol }) => !known.has(symbol)).map((one) => ({ ...one, outline }));
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

/** Kinds whose members are symbols of their own; of a function, the local names are not. */
const SPACES = new Set(['file', 'module', 'namespace', 'package']);
const OWNERS = new Set([...TYPES, 'object']);
/** Kinds of data, as in JSON and Markdown; and the uses of macros. */
const DATA = new Set(['string', 'number', 'boolean', 'array', 'key', 'null', 'macro']);
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
    touched.has(symbol) && (isDefine(symbol) || !DATA.has(symbol.kind)) && !UNNAMED.test(symbol.name);
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
