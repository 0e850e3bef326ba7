/** Blank lines between declarations. */
import type { Declared, Extent } from './extent.ts';
import { ENDS_BLOCK, indentOf } from './indentation.ts';
import { leadLength } from './lead.ts';
import { isListed, type SymbolScope } from './scope.ts';

/** How many neighbours on each side are looked at. */
const NEAR = 20;

/** Whether a declaration is a block, such as a function: those mostly have blank lines around. */
const isBlock = ({ first, last }: Extent, { language }: SymbolScope): boolean =>
  last > first || language === 'markdown';

/** The same for the text of one or more declarations. */
function isBlockText(text: string, { language }: SymbolScope): boolean {
  const lines = text.split('\n');
  const [first = '', ...rest] = lines.slice(leadLength(lines));
  const isInner = (line: string) => indentOf(line).length > indentOf(first).length;
  return language === 'markdown' || rest.some((line) => isInner(line) || ENDS_BLOCK.test(line));
}

/**
 * Blank lines between new text and the symbol beside it, or other code: as many as between siblings nearby, those of one kind first.
 *
 * @param index of the symbol
 * @param isBeside whether the symbol is the neighbour; it only stands for its siblings otherwise
 */
export function gapBeside(scope: SymbolScope, index: number, text: string, isBeside = true): number {
  const self = scope.extents[index];
  const wanted = isBlockText(text, scope) || (isBeside && self !== undefined && isBlock(self, scope));
  const near = gapsAround(scope, index).filter((one) => one.isOfBlock === wanted);
  const gap = (near.find((one) => one.isOfOneKind) ?? near[0])?.gap;
  return gap ?? (wanted && !isListed(scope, index) ? 1 : 0);
}

/** The gaps between siblings, nearest first. Overloads are left out: they belong together. */
function gapsAround(scope: SymbolScope, index: number) {
  const { source, symbols, extents } = scope;
  return [...Array(2 * NEAR).keys()].flatMap((step) => {
    const at = index + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    const [one, other] = extents.slice(Math.max(at, 0), at + 2);
    if (at < 0 || !one || !other || source.nextContent(one.last, 1) !== other.lead) return [];
    const [name, otherName] = symbols.slice(at, at + 2).map((symbol) => nameOf(scope, symbol));
    if (name !== '' && name === otherName) return [];
    const isOfBlock = isBlock(one, scope) || isBlock(other, scope);
    const isOfOneKind = symbols[at]?.kind === symbols[at + 1]?.kind;
    return { gap: other.lead - one.last - 1, isOfBlock, isOfOneKind };
  });
}

const nameOf = ({ source }: SymbolScope, { name }: Declared): string =>
  /^[\p{L}\p{N}_$]*/u.exec(source.text.slice(name, name + 200))?.[0] ?? '';
