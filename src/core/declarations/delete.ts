import type { Extent } from './extent.ts';
import { ENDS_BLOCK } from './indentation.ts';
import { isPiece } from './replace.ts';
import { extentAt, type SymbolScope, sharesLine } from './scope.ts';
import type { DeclarationEdit, OffsetEdit, Source } from './source.ts';

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
