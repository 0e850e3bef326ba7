/** What an edit changes in the files that it touches: symbols, their bodies, and what they hand on. */
import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError } from '../../core/errors.ts';
import { lastName } from '../../core/symbolPaths.ts';
import { isInBody } from '../../services/language/changes/bodies.ts';
import { touchedSymbols } from '../../services/language/changes/changedSymbols.ts';
import { changedLinesOf } from '../../services/language/changes/changedTexts.ts';
import { checkersOf, ownServersOf } from '../../services/language/checkers.ts';
import { type Target, targetOf } from '../../services/language/symbols/candidates.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';

interface Source {
  location: Location;
  isDeleted: boolean;
}

/**
 * Deletions first, and files of languages without a server last: of a file that is not loaded the language is not known yet. None
 * of VS Code's own servers for CSS, HTML, JSON and Markdown, which report nothing of users.
 */
export function sourcesOf(
  edits: readonly TextRequest[],
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
export async function symbolsIn(
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

/** The first line of a statement that hands on what other files declare, by the name of the file. */
const HANDING_ON: readonly (readonly [file: RegExp, head: RegExp])[] = [
  [/\.[mc]?[jt]sx?$/, /^(export\s*(type\s*)?[*{=]|export\s+default\s+[\w$.]+;?$|(module\.)?exports\b)/],
  [/(^|\/)__init__\.pyi?$/, /^(from|import|__all__)\b/],
  [/\.rs$/, /^pub(\(.*\))?\s+(use|mod)\b/],
];

/** The names and specifiers in the statements of a text that hand on what other files declare. */
function handedOn(path: string, text: string): Set<string> {
  const [, head] = HANDING_ON.find(([file]) => file.test(path)) ?? [];
  const found = new Set<string>();
  let isHanding = false;
  for (const line of head ? text.split('\n') : []) {
    if (/^[^\s})\]]/.test(line)) isHanding = head?.test(line) === true;
    if (isHanding) for (const [word] of line.matchAll(/'[^']*'|"[^"]*"|[\w$]+/g)) found.add(word);
  }
  return found;
}

/** Whether a file does not hand on any more what it did: there is no symbol whose uses could be searched. */
export const handsOnLess = (diffs: readonly FileDiff[], touched: readonly Target[]): boolean => {
  const names = new Set(touched.map(({ name }) => lastName(name)));
  return diffs.some(({ path, before, after }) => {
    const still = handedOn(path, after);
    return [...handedOn(path, before)].some((word) => !still.has(word) && !names.has(word));
  });
};

/** Files that decide how others are checked, and which. */
const CONFIGURATION =
  /(^|\/)((ts|js)config[^/]*\.json|pyproject\.toml|pyrightconfig\.json|go\.(mod|work)|Cargo\.toml|composer\.json|compile_commands\.json|compile_flags\.txt|\.clangd)$/;

/** Whether a file changes or goes that decides how others are checked: any of these may have problems then. */
export const decidesOthers = (diffs: readonly FileDiff[]): boolean =>
  diffs.some(({ path, operation }) => CONFIGURATION.test(path) && operation?.type !== 'copy');

/** The symbol, if only the body of a function changes. */
export const onlyIfBody = async (
  target: Target,
  diffs: readonly FileDiff[],
  { files }: Context,
): Promise<Target[]> => ((await isInBody(target, changedIn(target.location, diffs), files)) ? [target] : []);
