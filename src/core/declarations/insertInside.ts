import { UserError } from '../errors.ts';
import { ENDS_BLOCK, indented, indentOf, withoutComment } from './indentation.ts';
import { gapBeside, type Insertion, insertedBeside, isHead, underLine } from './insert.ts';
import { hasBraces, type Nesting, OPENERS } from './nesting.ts';
import { extentAt, isFunction, isListed, isValue, type SymbolScope, scopeOf, withoutComma } from './scope.ts';
import type { DeclarationEdit, Declared, Extent, Source } from './source.ts';

/** Which end of a body, and the brackets of the text, if they are known. */
interface Where {
  end: 'first' | 'last';
  nesting: Nesting | undefined;
}

const noBody = () => new UserError('It has no body on lines of its own. Use the action "replace".');

/**
 * Inserts declarations or statements as the first or last of a symbol's body.
 *
 * @param children of the symbol, in text order; none of a function: its parameters and locals are no places
 * @throws UserError if it has no body on lines of its own
 */
export function insertedInside(
  scope: SymbolScope,
  index: number,
  children: readonly Declared[],
  where: Where,
  insertion: Insertion,
): DeclarationEdit {
  const { source, language } = scope;
  const extent = extentAt(scope, index);
  const inner = scopeOf(source, children, scope.symbols[index], language);
  if (children.length === 0 && isValue(scope, index)) throw noBody();
  const empty = children.length === 0 ? emptyBody(scope, index) : undefined;
  if (empty) return opened(scope, empty, insertion);
  const child = where.end === 'first' ? 0 : children.length - 1;
  const isLine = extent.first === extent.last && language !== 'markdown';
  if (isLine && children.length === 0) throw noBody();
  const isLastOfList = where.end === 'last' && child >= 0 && isListed(inner, child);
  if (isLine || isLastOfList)
    return insertedBeside(inner, child, where.end === 'first' ? 'before' : 'after', insertion);
  const closer = closerOf(source, extent);
  if (!isEnded(scope, index, { closer, nesting: where.nesting })) throw noBody();
  return inBody(scope, extent, inner, { ...where, closer }, insertion);
}

/** Whether a body can end with what closes it. In a text of which nothing is known, no other bracket is behind that. */
function isEnded(
  scope: SymbolScope,
  index: number,
  { closer, nesting }: { closer: number | undefined; nesting: Nesting | undefined },
): boolean {
  const { source, language } = scope;
  const end = closer === undefined ? '' : source.text.slice(closer, source.endOf(source.lineAt(closer)));
  if (!isFunction(scope, index)) return !end.startsWith(')');
  if (language === 'python') return end === '';
  return (nesting ? /^\}/ : /^(\}|end)[^)\]]*$/).test(withoutComment(end));
}

function opened(
  { source, language }: SymbolScope,
  [open, close]: [number, number],
  { body, unit }: Insertion,
): DeclarationEdit {
  const line = source.lineAt(open);
  const indent = indentOf(source.line(line));
  const text = indented(body, indent + unit, unit, language);
  const edit = { from: open + 1, to: close, text: `\n${text}\n${indent}` };
  return { edits: [edit], first: line + 1, last: line + text.split('\n').length };
}

function inBody(
  scope: SymbolScope,
  extent: Extent,
  inner: SymbolScope,
  where: Where & { closer: number | undefined },
  { body, unit }: Insertion,
): DeclarationEdit {
  const { source, language } = scope;
  const { end, closer } = where;
  const head = headLineOf(scope, extent, where);
  const bottom = closer === undefined ? extent.last : source.nextContent(extent.last, -1);
  const line = end === 'first' ? belowLabel(scope, head) : bottom;
  const listed = inner.symbols.length > 0 && isListed(inner, 0);
  const indent = indentInside(extent, inner, head, unit);
  const text = indented(listed ? withoutComma(body) : body, indent, unit, language);
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
  const isNone = (line: string) => (!hasBraces(language) && /^\s*#/.test(line)) || ACCESS.test(line);
  let at = source.nextContent(head, 1);
  while (isNone(source.line(at))) at = source.nextContent(at, 1);
  const next = source.line(at);
  if (!ENDS_BLOCK.test(next) && indentOf(next).length > own.length) return indentOf(next);
  const child = extents.find(({ isAlone }) => isAlone);
  return child ? indentOf(source.line(child.first)) : own + unit;
}

/** An empty body on one line. `string[]` is none. */
const EMPTY = /(\{\s*\}|(?<=[\s=:,([])\[\s*\])$/;

/** What makes empty brackets at the end of a function a type or a value. */
const NO_BODY = /(\b(struct|interface|enum|union|return)|[:=|&<,(?[])\s*$/;

/** The offsets of the brackets of an empty body on one line. */
function emptyBody(scope: SymbolScope, index: number): [open: number, close: number] | undefined {
  const { from, to } = extentAt(scope, index);
  const own = scope.source.text.slice(from, to).replace(/;$/, '');
  const found = EMPTY.exec(own);
  if (!found) return undefined;
  const isOfFunction =
    hasBraces(scope.language) && !own.endsWith(']') && !NO_BODY.test(own.slice(0, found.index));
  if (isFunction(scope, index) && !isOfFunction) return undefined;
  return [from + found.index, from + own.length - 1];
}

/**
 * The offset of what closes the body at the start of its last line. A bracket that is indented deeper than its first line closes a
 * statement in it.
 */
function closerOf(source: Source, { first, last }: Extent): number | undefined {
  const [found, closer = ''] = ENDS_BLOCK.exec(source.line(last)) ?? [];
  const isOut = found !== undefined && indentOf(found).length <= indentOf(source.line(first)).length;
  return isOut ? source.startOf(last) + found.length - closer.length : undefined;
}

/** The line below which a body begins. @throws UserError if it is not found */
function headLineOf(
  scope: SymbolScope,
  extent: Extent,
  { nesting, closer }: { nesting: Nesting | undefined; closer: number | undefined },
): number {
  const { source, language } = scope;
  const mark = closer === undefined ? undefined : source.text.slice(closer, closer + 2);
  if (language === 'markdown' || mark === '</') return extent.first;
  const line =
    closer !== undefined && mark !== undefined
      ? headAbove(source, extent, mark.charAt(0), nesting?.openerOf(closer))
      : headWithColon(scope, extent, nesting);
  if (line === undefined) throw new UserError('Its body was not found. Use edit_file.');
  return line;
}

/** In C++, members above the first label are private: code goes below one that begins the body. */
function belowLabel({ source, language }: SymbolScope, head: number): number {
  const next = source.nextContent(head, 1);
  const isLabel = /^(cpp|cuda-cpp|objective-cpp)$/.test(language) && ACCESS.test(source.line(next));
  return isLabel ? next : head;
}

const ACCESS = /^\s*(public|protected|private)(\s+\w+)?\s*:\s*(\/\/.*)?$/;

/** The head of a block that ends with `end`: brackets pair, and it is no branch. */
const HEAD = /^\s*(?!(?:rescue|ensure|else|els?e?if|catch|after)\b)\)?[^()]*(\([^()]*\)[^()]*)*$/;

/** The head of a block by its opening bracket, otherwise by its last line: the next line above it that is not indented deeper. */
function headAbove(
  source: Source,
  { first, last }: Extent,
  closer: string,
  opener: number | undefined,
): number | undefined {
  if (opener !== undefined) {
    const line = source.lineAt(opener);
    const rest = source.text.slice(opener + 1, source.endOf(line));
    return line >= first && /^\s*(\/\/.*|\/\*.*\*\/\s*|#.*)?$/.test(rest) ? line : undefined;
  }
  const most = indentOf(source.line(last)).length;
  for (let line = last - 1; line >= first; line--) {
    const isOut = !source.isBlank(line) && indentOf(source.line(line)).length <= most;
    if (!isOut) continue;
    const [code, opens] = [withoutComment(source.line(line)), OPENERS[closer]];
    if (opens === undefined) return HEAD.test(code) ? line : undefined;
    if (code.endsWith(opens)) return line;
  }
  return undefined;
}

/** The head of a block without an end, as in Python; its docstring counts too. */
function headWithColon(
  { source, language }: SymbolScope,
  { from, first, last }: Extent,
  nesting: Nesting | undefined,
): number | undefined {
  if (hasBraces(language)) return undefined;
  const own = nesting?.around(from).at(-1);
  for (let line = first; line <= last; line++)
    if (withoutComment(source.line(line)).endsWith(':') && nesting?.around(source.endOf(line)).at(-1) === own)
      return endOfDocstring(source, line, last) ?? line;
  return undefined;
}

const DOCSTRING = /\s*[rRuU]?(?:("""|''')(?:\\[\s\S]|[^\\])*?\1|("|')(?:\\.|[^\\\n])*?\2)/y;

function endOfDocstring(source: Source, head: number, last: number): number | undefined {
  DOCSTRING.lastIndex = source.endOf(head);
  if (!DOCSTRING.test(source.text)) return undefined;
  const line = source.lineAt(DOCSTRING.lastIndex);
  const isWhole = /^\s*([#;]|$)/.test(source.text.slice(DOCSTRING.lastIndex, source.endOf(line)));
  return isWhole && line <= last ? line : undefined;
}
