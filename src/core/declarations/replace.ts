import { UserError } from '../messages.ts';
import { ENDS_BLOCK, indented, indentOf } from './indentation.ts';
import type { Insertion } from './insert.ts';
import { beginsWithLead, isDecorator } from './lead.ts';
import {
  extentAt,
  isListed,
  requireOwnStatement,
  type SymbolScope,
  sharesLine,
  withoutComma,
} from './scope.ts';
import type { DeclarationEdit, Extent, OffsetEdit, Source } from './source.ts';

/**
 * Replaces a declaration. The comments and decorators above it stay unless the body has its own.
 *
 * @throws UserError if it is not clear where it begins and ends
 */
export function replaced(scope: SymbolScope, index: number, { body, unit }: Insertion): DeclarationEdit {
  const { source } = scope;
  const extent = extentAt(scope, index);
  const { lead, first, to, isAlone } = extent;
  requireOwnStatement(scope, index);
  if (!isAlone && !isPiece(source, extent)) throw sharesLine();
  const line = source.line(first);
  const hasLead = isAlone && beginsWithLead(body) && !line.startsWith('#'); // a heading of Markdown is no comment
  if (hasLead) requireDecorators(source.lines.slice(lead, first), body);
  const own = isListed(scope, index) ? withoutComma(body) : body;
  const lines = indented(own, indentOf(line), unit);
  const text = isAlone ? lines : lines.trimStart();
  const start = hasLead ? lead : first;
  const from = isAlone ? source.startOf(start) : extent.from;
  return { edits: [{ from, to, text }], first: start, last: start + text.split('\n').length - 1 };
}

/** @throws UserError if decorators would go that the body does not mention: they mean more than comments */
function requireDecorators(above: readonly string[], body: string): void {
  const decorator = above.find(isDecorator);
  if (decorator === undefined || body.split('\n').some(isDecorator)) return;
  throw new UserError(
    `body has a comment, but not the decorators above (${decorator.trim()}). Put them into body as well, or leave the comment out.`,
  );
}

/** Whether what is on both sides of it stays whole without it, as in `{ a: 1 }`. */
function isPiece({ text }: Source, { from, to }: Extent): boolean {
  const before = text.slice(0, from).trimEnd().at(-1) ?? '{';
  const after =
    text
      .slice(to)
      .replace(/^[ \t]+/, '')
      .at(0) ?? '}';
  return '{[(,;'.includes(before) && '}]);,\n'.includes(after);
}

/**
 * Deletes a declaration with its comments and decorators, its comma, and one of the gaps around it.
 *
 * @throws UserError if it is not clear where it begins and ends
 */
export function deleted(scope: SymbolScope, index: number): DeclarationEdit {
  const extent = extentAt(scope, index);
  const { isAlone, lead, first, last, comma } = extent;
  if (!isAlone) return { edits: [withoutPiece(scope.source, extent)], first, last };
  const loose = comma === undefined ? scope.extents[index - 1]?.comma : undefined;
  const edits = loose === undefined ? [] : [{ from: loose, to: loose + 1, text: '' }];
  return { edits: [...edits, withoutLines(scope.source, extent)], first: lead, last };
}

function withoutLines(source: Source, { lead, last }: Extent): OffsetEdit {
  const above = source.nextContent(lead, -1);
  const below = source.nextContent(last, 1);
  const [gapAbove, gapBelow] = [lead - above - 1, below - last - 1];
  const isLast = below >= source.lines.length || ENDS_BLOCK.test(source.line(below));
  const isFirst = above < 0 || /[{[(:]$/.test(source.line(above).trimEnd());
  const start = isLast ? lead - gapAbove : lead;
  const end = last + 1 + (isLast ? 0 : isFirst ? gapBelow : Math.min(gapAbove, gapBelow));
  const isEnd = end >= source.lines.length && start > 0; // no line break follows
  return { from: source.startOf(start) - (isEnd ? 1 : 0), to: source.startOf(end), text: '' };
}

/** For one that shares its lines, as in `{ a: 1, b: 2 }` and `const a = 1, b = 2`. @throws UserError */
function withoutPiece(source: Source, extent: Extent): OffsetEdit {
  const { text } = source;
  const { from, to, comma } = extent;
  const pastSpace = (at: number) => at + text.slice(at).search(/\S|$/);
  if (comma !== undefined) return { from, to: pastSpace(comma + 1), text: '' };
  const before = text.slice(0, from).trimEnd();
  if (before.endsWith(',')) return { from: before.length - 1, to, text: '' };
  if (!isPiece(source, extent)) throw sharesLine();
  return { from, to: to + (/^;?[ \t]*/.exec(text.slice(to))?.[0].length ?? 0), text: '' };
}
