/** Blank lines between declarations. */
import type { Extent, Scope } from './extent.ts';
import { ENDS_BLOCK, indentOf } from './indentation.ts';
import { leadLength } from './lead.ts';
import { isListed } from './lists.ts';

/** How many neighbours on each side are looked at. */
const NEAR = 20;

/** Whether a declaration is a block, such as a function: those mostly have blank lines around. */
const isBlock = ({ first, last }: Extent, { language }: Scope): boolean =>
  last > first || language === 'markdown';

/** The same for the text of one or more declarations. */
function isBlockText(text: string, { language }: Scope): boolean {
  const lines = text.split('\n');
  const [first = '', ...rest] = lines.slice(leadLength(lines));
  const isInner = (line: string) => indentOf(line).length > indentOf(first).length;
  return language === 'markdown' || rest.some((line) => isInner(line) || ENDS_BLOCK.test(line));
}

/**
 * Blank lines between new text and the symbol beside it, or other code: as many as between the nearest siblings of the same sort.
 *
 * @param index of the symbol
 * @param isBeside whether the symbol is the neighbour; it only stands for its siblings otherwise
 */
export function gapBeside(scope: Scope, index: number, text: string, isBeside = true): number {
  const self = scope.extents[index];
  const wanted = isBlockText(text, scope) || (isBeside && self !== undefined && isBlock(self, scope));
  const pairs = scope.extents.slice(0, -1).map((_, at) => at);
  const near = pairs
    .filter((at) => Math.abs(at - index) <= NEAR)
    .sort((a, b) => Math.abs(a - index) - Math.abs(b - index));
  for (const at of near) {
    const [one, other] = scope.extents.slice(at, at + 2) as [Extent, Extent];
    const isAdjacent = scope.source.nextContent(one.last, 1) === other.lead;
    if (isAdjacent && (isBlock(one, scope) || isBlock(other, scope)) === wanted)
      return other.lead - one.last - 1;
  }
  return wanted && !isListed(scope, index) ? 1 : 0;
}
