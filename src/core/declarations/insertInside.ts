import { UserError } from '../errors.ts';
import { emptyBody, headLineOf, lastLineOf } from './body.ts';
import type { Declared, Extent } from './extent.ts';
import { gapBeside } from './gaps.ts';
import { ENDS_BLOCK, indented, indentOf } from './indentation.ts';
import { type Insertion, insertedBeside, isHead, underLine } from './insert.ts';
import { extentAt, isListed, type SymbolScope, scopeOf, withoutComma } from './scope.ts';
import type { DeclarationEdit } from './source.ts';

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
