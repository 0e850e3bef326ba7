import { bodyAt } from './go.ts';
import { ENDS_BLOCK, indented, indentOf } from './indentation.ts';
import { leadLength } from './lead.ts';
import {
  extentAt,
  isListed,
  nameOf,
  requireOwnStatement,
  type SymbolScope,
  sharesLine,
  withoutComma,
} from './scope.ts';
import type { DeclarationEdit, Extent } from './source.ts';

export interface Insertion {
  body: string;
  /** One step of indentation in the file. */
  unit: string;
}

/** Inserts declarations beside one. @throws UserError if it shares its lines with other code */
export function insertedBeside(
  scope: SymbolScope,
  index: number,
  side: 'before' | 'after',
  { body, unit }: Insertion,
): DeclarationEdit {
  const { source, extents } = scope;
  const { isAlone, first, lead } = extentAt(scope, index);
  requireOwnStatement(scope, index);
  if (!isAlone) return inLine(scope, index, side, body);
  const text = indented(bodyAt(scope, index, body), indentOf(source.line(first)), unit, scope.language);
  const previous = extents[index - 1];
  if (side === 'after') return below(scope, index, text);
  if (previous?.isAlone && source.nextContent(lead, -1) === previous.last)
    return below(scope, index - 1, text);
  return above(scope, index, text);
}

/** Inserts on one line, as in `{ a: 1 }`. @throws UserError if there are no commas */
function inLine(scope: SymbolScope, index: number, side: 'before' | 'after', body: string): DeclarationEdit {
  const { from, to } = extentAt(scope, index);
  const text = withoutComma(body).trim();
  if (!isListed(scope, index) || text.includes('\n')) throw sharesLine();
  const at = side === 'before' ? from : to;
  const line = scope.source.lineAt(at);
  const inserted = side === 'before' ? `${text}, ` : `, ${text}`;
  return { edits: [{ from: at, to: at, text: inserted }], first: line, last: line };
}

function below(scope: SymbolScope, index: number, text: string): DeclarationEdit {
  const { last, to, comma } = extentAt(scope, index);
  const listed = isListed(scope, index);
  const hasComma = comma !== undefined;
  const { edits, ...lines } = underLine(scope, {
    line: last,
    gap: gapBeside(scope, index, text),
    text: listed && hasComma ? `${text},` : text,
    near: index,
  });
  return { ...lines, edits: listed && !hasComma ? [{ from: to, to, text: ',' }, ...edits] : edits };
}

/** Above a symbol, below all that is not attached to it. */
function above(scope: SymbolScope, index: number, text: string): DeclarationEdit {
  const { source } = scope;
  const { lead } = extentAt(scope, index);
  const isFree = lead === 0 || source.isBlank(lead - 1) || isHead(scope, lead - 1);
  const before = isFree ? 0 : gapBeside(scope, index, text, false);
  const own = isListed(scope, index) ? `${text},` : text;
  const inserted = '\n'.repeat(before) + own + '\n'.repeat(gapBeside(scope, index, text) + 1);
  const at = source.startOf(lead);
  return { edits: [{ from: at, to: at, text: inserted }], ...linesFrom(lead + before, text) };
}

const linesFrom = (first: number, text: string) => ({ first, last: first + text.split('\n').length - 1 });

export const isHead = ({ source, parent }: SymbolScope, line: number): boolean =>
  /[{[(:>]$/.test(source.line(line).trimEnd()) ||
  (parent !== undefined && source.lineAt(parent.name) === line);

interface Under {
  line: number;
  gap: number;
  text: string;
  /** Index of a symbol nearby. */
  near: number;
}

/** Below a line, which is not blank; with blank lines before what follows. */
export function underLine(scope: SymbolScope, { line, gap, text, near }: Under): DeclarationEdit {
  const { source, extents } = scope;
  const next = source.nextContent(line, 1);
  const isEnd = next >= source.lines.length || ENDS_BLOCK.test(source.line(next));
  const follower = extents.findIndex(({ lead }) => lead === next);
  const gapBelow =
    follower < 0
      ? gapBeside(scope, near, text, false)
      : gapBeside(scope, follower, text, true, Math.max(follower - 1, 0));
  const more = '\n'.repeat(Math.max(0, (isEnd ? 0 : gapBelow) - (next - line - 1)));
  const lines = '\n'.repeat(gap) + text + more;
  const isLastLine = line + 1 >= source.lines.length;
  const at = isLastLine ? source.text.length : source.startOf(line + 1);
  const inserted = isLastLine ? `\n${lines}` : `${lines}\n`;
  return { edits: [{ from: at, to: at, text: inserted }], ...linesFrom(line + 1 + gap, text) };
}

/** How many neighbours on each side are looked at. */
const NEAR = 20;

/** Whether a declaration is a block, such as a function: those mostly have blank lines around. */
const isBlock = ({ first, last }: Extent, { language }: SymbolScope): boolean =>
  last > first || language === 'markdown';

/** Whether a text of declarations has a block. */
function isBlockText(text: string, { language }: SymbolScope): boolean {
  const lines = text.split('\n');
  const [first = '', ...rest] = lines.slice(leadLength(lines, language));
  const isInner = (line: string) => indentOf(line).length > indentOf(first).length;
  return language === 'markdown' || rest.some((line) => isInner(line) || ENDS_BLOCK.test(line));
}

/**
 * Blank lines between new text and the symbol beside it, or other code: as many as between siblings nearby, those of one kind first.
 *
 * @param index of the symbol
 * @param isBeside whether the symbol is the neighbour; it only stands for its siblings otherwise
 * @param from index of the symbol whose gap to the next is looked at first
 */
export function gapBeside(
  scope: SymbolScope,
  index: number,
  text: string,
  isBeside = true,
  from = index,
): number {
  const self = scope.extents[index];
  const wanted = isBlockText(text, scope) || (isBeside && self !== undefined && isBlock(self, scope));
  const near = gapsAround(scope, from).filter((one) => one.isOfBlock === wanted);
  const gap = (near.find((one) => one.isOfOneKind) ?? near[0])?.gap;
  return gap ?? (wanted && !isListed(scope, index) ? 1 : 0);
}

/** The gaps between siblings, nearest first. Overloads with blocks are left out: they belong together. */
function gapsAround(scope: SymbolScope, index: number) {
  const { source, symbols, extents } = scope;
  return [...Array(2 * NEAR).keys()].flatMap((step) => {
    const at = index + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    const [one, other] = extents.slice(Math.max(at, 0), at + 2);
    if (at < 0 || !one || !other || source.nextContent(one.last, 1) !== other.lead) return [];
    const [name, otherName] = symbols.slice(at, at + 2).map((symbol) => nameOf(scope, symbol));
    const isOfBlock = isBlock(one, scope) || isBlock(other, scope);
    if (isOfBlock && name !== '' && name === otherName) return [];
    const isOfOneKind = symbols[at]?.kind === symbols[at + 1]?.kind;
    return { gap: other.lead - one.last - 1, isOfBlock, isOfOneKind };
  });
}
