import { gapBeside } from './gaps.ts';
import { ENDS_BLOCK, indented, indentOf } from './indentation.ts';
import {
  extentAt,
  isListed,
  requireOwnStatement,
  type SymbolScope,
  sharesLine,
  withoutComma,
} from './scope.ts';
import type { DeclarationEdit } from './source.ts';

/** New text. */
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
  const own = isListed(scope, index) ? withoutComma(body) : body;
  const text = indented(own, indentOf(source.line(first)), unit);
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

/** Below a sibling. */
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

/** Whether a line is the head of a block. */
export const isHead = ({ source, parent }: SymbolScope, line: number): boolean =>
  /[{[(:>]$/.test(source.line(line).trimEnd()) ||
  (parent !== undefined && source.lineAt(parent.name) === line);

interface Under {
  line: number;
  /** Blank lines above. */
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
  const wanted = isEnd ? 0 : gapBeside(scope, follower < 0 ? near : follower, text, follower >= 0);
  const more = '\n'.repeat(Math.max(0, wanted - (next - line - 1)));
  const lines = '\n'.repeat(gap) + text + more;
  const isLastLine = line + 1 >= source.lines.length;
  const at = isLastLine ? source.text.length : source.startOf(line + 1);
  const inserted = isLastLine ? `\n${lines}` : `${lines}\n`;
  return { edits: [{ from: at, to: at, text: inserted }], ...linesFrom(line + 1 + gap, text) };
}
