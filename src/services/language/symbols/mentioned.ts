import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { namesExtended } from '../../../core/declarations/mentions.ts';
import { ifUserError } from '../../../core/errors.ts';
import { TYPES } from '../../../core/kinds.ts';
import { ownName } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/queues.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { type FileSymbol, outlineOf } from './outline.ts';
import { hitsAt, type OpenPlace } from './places.ts';
import { linesNaming } from './symbolFiles.ts';

/** Lines of the head of a class, and files that are read for one. */
export const MOST_HEAD_LINES = 20;
export const MOST_FILES_READ = 50;
const AT_ONCE = 8;

/** What declares a type, or goes on with its head: also lines with nothing but names, as in Python. */
const HEAD =
  /\b(class|struct|interface|trait|enum|record|protocol|object|extends|implements|public)\b|^\s*([:,]|([\w.:\\[\]<>]+, *)*[\w.:\\[\]<>]+[,)]*:?( *\{)?\s*((#|\/\/).*)?$)/;

/**
 * Lines that may be in the heads of types that name another one, by file: among its references, and in the text of all files of the
 * language; and how many more files have such.
 *
 * @throws UserError, CancelledError
 */
export async function headLines(
  target: Target,
  references: readonly OpenPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ byFile: OpenPlace[][]; leftOut: number }> {
  const { files, vscode } = scope;
  const lines = [...(await hitsAt(references, files)), ...(await linesNaming(target, scope, signal))];
  const byPath = Map.groupBy(
    lines.filter(({ text }) => HEAD.test(text)),
    ({ path }) => path,
  );
  const found = [...byPath].slice(0, MOST_FILES_READ).map(async ([path, hits]) => {
    const at = await files.locateShown(path).catch(ifUserError(undefined));
    return hits.flatMap(({ line }) =>
      at && line ? [{ uri: at.uri, location: at, range: new vscode.Range(line - 1, 0, line, 0) }] : [],
    );
  });
  return { byFile: await Promise.all(found), leftOut: Math.max(0, byPath.size - MOST_FILES_READ) };
}

/** The types that a file declares, and where each extends another at one of these places. */
export async function headsAt(
  places: readonly OpenPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ type: Target; at: vscode.Position }[]> {
  const [first] = places;
  const outline = first && (await outlineOf(first.location, scope, signal).catch(ifUserError(undefined)));
  if (!outline) return [];
  const isNear = ({ kind, line, endLine }: FileSymbol) => {
    const last = Math.min(endLine, line + MOST_HEAD_LINES);
    return (
      TYPES.has(kind) && places.some(({ range: { start } }) => line - 1 <= start.line && start.line < last)
    );
  };
  const near = outline.all.filter(({ symbol }) => isNear(symbol));
  const heads = await inParallel(near, AT_ONCE, async (found) => {
    const type = targetOf({ ...found, outline }, scope);
    const all = await mentionsIn(type, MOST_HEAD_LINES, namesExtended, scope);
    return all.filter((at) => places.some(({ range }) => isWithin(at, range))).map((at) => ({ type, at }));
  });
  return heads.flat();
}

export const isWithin = (at: vscode.Position, { start, end }: vscode.Range): boolean =>
  start.compareTo(at) <= 0 && at.compareTo(end) <= 0;

export type Finder = (text: string, languageId: string) => number[];

/** Where the text of a symbol, after its name, mentions names in a role. */
export async function mentionsIn(
  { location, document, symbol }: Target,
  mostLines: number,
  find: Finder,
  { files, vscode }: LanguageScope,
): Promise<vscode.Position[]> {
  if (!symbol) return [];
  const first = symbol.line - 1;
  const count = Math.min(mostLines, symbol.endLine - first);
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  const lines = await files.lines(location, numbers);
  const texts = numbers.map((number) => {
    const line = lines.get(number) ?? '';
    if (line.includes(REDACTED)) return ''; // its columns are others
    if (number !== first) return line;
    // Some servers give the start of the declaration for the place of the name.
    const name = ownName(symbol.name);
    const from = line.indexOf(name, symbol.column - 1);
    return line.slice(from < 0 ? symbol.column : from + name.length).padStart(line.length);
  });
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length + 1);
  return find(texts.join('\n'), document.languageId).map((at) => {
    const index = starts.findLastIndex((start) => start <= at);
    return new vscode.Position(first + index, at - (starts[index] ?? 0));
  });
}
