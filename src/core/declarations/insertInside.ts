import { UserError } from '../messages.ts';
import { ENDS_BLOCK, indented, indentOf } from './indentation.ts';
import { gapBeside, type Insertion, insertedBeside, isHead, underLine } from './insert.ts';
import { extentAt, isListed, type SymbolScope, scopeOf, withoutComma } from './scope.ts';
import type { DeclarationEdit, Declared, Extent, Source } from './source.ts';

/**
 * Inserts declarations as the first or last of a symbol's body.
 *
 * @param children of the symbol, in text order
 * @throws UserError if it has no body on lines of its own
 */
export function insertedInside(
  scope: SymbolScope,
  index: number,
  children: readonly Declared[],
  end: 'first' | 'last',
  insertion: Insertion,
): DeclarationEdit {
  const { source, language } = scope;
  const extent = extentAt(scope, index);
  const inner = scopeOf(source, children, scope.symbols[index], language);
  const empty = children.length === 0 ? emptyBody(source, extent) : undefined;
  if (empty) return opened(scope, empty, insertion);
  const child = end === 'first' ? 0 : children.length - 1;
  const isLine = extent.first === extent.last && language !== 'markdown';
  if (isLine && child < 0)
    throw new UserError('It has no body on lines of its own. Use the action "replace".');
  const isLastOfList = end === 'last' && child >= 0 && isListed(inner, child);
  if (isLine || isLastOfList)
    return insertedBeside(inner, child, end === 'first' ? 'before' : 'after', insertion);
  return inBody(scope, extent, inner, end, insertion);
}

function opened(
  { source }: SymbolScope,
  [open, close]: [number, number],
  { body, unit }: Insertion,
): DeclarationEdit {
  const line = source.lineAt(open);
  const indent = indentOf(source.line(line));
  const text = indented(body, indent + unit, unit);
  const edit = { from: open + 1, to: close, text: `\n${text}\n${indent}` };
  return { edits: [edit], first: line + 1, last: line + text.split('\n').length };
}

function inBody(
  scope: SymbolScope,
  extent: Extent,
  inner: SymbolScope,
  end: 'first' | 'last',
  { body, unit }: Insertion,
): DeclarationEdit {
  const { source, language } = scope;
  const head = headLineOf(scope, extent);
  const line = end === 'first' ? head : lastLineOf(source, extent);
  const listed = inner.symbols.length > 0 && isListed(inner, 0);
  const indent = indentInside(extent, inner, head, unit);
  const text = indented(listed ? withoutComma(body) : body, indent, unit);
  const above = line > head ? inner.extents.findIndex(({ last }) => last === line) : -1;
  const near = Math.max(above, 0);
  const isOpen = isHead(inner, line) && language !== 'markdown';
  const gap = isOpen ? 0 : gapBeside(inner, near, text, above >= 0);
  return underLine(inner, { line, gap, text: listed ? `${text},` : text, near });
}

/** The indentation of what is in a body already, otherwise one step. */
function indentInside(
  { first }: Extent,
  { source, extents, language }: SymbolScope,
  head: number,
  unit: string,
): string {
  const own = indentOf(source.line(first));
  if (language === 'markdown') return own;
  const next = source.line(source.nextContent(head, 1));
  if (!ENDS_BLOCK.test(next) && indentOf(next).length > own.length) return indentOf(next);
  const child = extents.find(({ isAlone }) => isAlone);
  return child ? indentOf(source.line(child.first)) : own + unit;
}

const OPENERS: Record<string, RegExp> = { '}': /\{$/, ']': /\[$/, ')': /\($/ };
const COMMENT = /\s*(\/\/|#\s|--\s).*$/;
/** An empty body on one line. `string[]` is none. */
const EMPTY = /(\{\s*\}|(?<=[\s=:,([])\[\s*\])$/;

/** The offsets of the brackets of an empty body on one line. */
function emptyBody({ text }: Source, { from, to }: Extent): [open: number, close: number] | undefined {
  const own = text.slice(from, to).replace(/;$/, '');
  const found = EMPTY.exec(own);
  return found ? [from + found.index, from + own.length - 1] : undefined;
}

/** The last line of a body on several lines: above the closing bracket, or the symbol's last. */
const lastLineOf = (source: Source, extent: Extent): number =>
  closerOf(source, extent) ? source.nextContent(extent.last, -1) : extent.last;

/** What closes the body on its last line. A bracket that is indented deeper than its first closes a statement in it. */
function closerOf(source: Source, { first, last }: Extent): string | undefined {
  const [found, closer] = ENDS_BLOCK.exec(source.line(last)) ?? [];
  const isOut = found !== undefined && indentOf(found).length <= indentOf(source.line(first)).length;
  return isOut ? closer : undefined;
}

/** The line below which a body begins. @throws UserError if it is not found */
function headLineOf({ source, language }: Pick<SymbolScope, 'source' | 'language'>, extent: Extent): number {
  const closer = closerOf(source, extent);
  if (language === 'markdown' || closer === '</') return extent.first;
  const line = closer ? headAbove(source, extent, closer) : headWithColon(source, extent);
  if (line === undefined) throw new UserError('Its body was not found. Use edit_file.');
  return line;
}

const codeOf = (source: Source, line: number): string => source.line(line).replace(COMMENT, '').trimEnd();

/** The head of a block by its last line: the next line above it that is not indented deeper. */
function headAbove(source: Source, { first, last }: Extent, closer: string): number | undefined {
  const most = indentOf(source.line(last)).length;
  for (let line = last - 1; line >= first; line--) {
    const isOut = !source.isBlank(line) && indentOf(source.line(line)).length <= most;
    if (isOut && (OPENERS[closer]?.test(codeOf(source, line)) ?? true)) return line;
  }
  return undefined;
}

/** The head of a block without an end, as in Python; its docstring counts too. */
function headWithColon(source: Source, { first, last }: Extent): number | undefined {
  for (let line = first; line <= last; line++)
    if (codeOf(source, line).endsWith(':')) return endOfDocstring(source, line, last) ?? line;
  return undefined;
}

function endOfDocstring(source: Source, head: number, last: number): number | undefined {
  const start = source.nextContent(head, 1);
  const [opening, quotes] = /^\s*[rRuU]?("""|'''|"|')/.exec(source.line(start)) ?? [];
  if (opening === undefined || quotes === undefined) return undefined;
  for (let line = start; line <= last; line++) {
    const text = source.line(line).slice(line === start ? opening.length : 0);
    if (text.trimEnd().endsWith(quotes)) return line;
  }
  return undefined;
}
