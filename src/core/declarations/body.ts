/** The body of a declaration. Lines are 0-based. */
import { UserError } from '../errors.ts';
import type { Extent } from './extent.ts';
import { ENDS_BLOCK, indentOf } from './indentation.ts';
import type { SymbolScope } from './scope.ts';
import type { Source } from './source.ts';

const OPENERS: Record<string, RegExp> = { '}': /\{$/, ']': /\[$/, ')': /\($/ };
const COMMENT = /\s*(\/\/|#\s|--\s).*$/;
/** An empty body on one line. `string[]` is none. */
const EMPTY = /(\{\s*\}|(?<=[\s=:,([])\[\s*\])$/;

/** The offsets of the brackets of an empty body on one line. */
export function emptyBody({ text }: Source, { from, to }: Extent): [open: number, close: number] | undefined {
  const own = text.slice(from, to).replace(/;$/, '');
  const found = EMPTY.exec(own);
  return found ? [from + found.index, from + own.length - 1] : undefined;
}

/** The last line of a body on several lines: above the closing bracket, or the symbol's last. */
export const lastLineOf = (source: Source, extent: Extent): number =>
  closerOf(source, extent) ? source.nextContent(extent.last, -1) : extent.last;

/** What closes the body on its last line. A bracket that is indented deeper than its first closes a statement in it. */
function closerOf(source: Source, { first, last }: Extent): string | undefined {
  const [found, closer] = ENDS_BLOCK.exec(source.line(last)) ?? [];
  const isOut = found !== undefined && indentOf(found).length <= indentOf(source.line(first)).length;
  return isOut ? closer : undefined;
}

/** The line below which a body begins. @throws UserError if it is not found */
export function headLineOf(
  { source, language }: Pick<SymbolScope, 'source' | 'language'>,
  extent: Extent,
): number {
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
