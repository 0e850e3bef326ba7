import { FUNCTIONS } from '../../../core/kinds.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Target } from '../symbols/candidates.ts';

/** What ends the head of a declaration, at the end of a line; and that of a function in a variable. */
const HEAD_END = /[{:]\s*$/;
const FUNCTION_HEAD = /=>\s*\{\s*$|\bfunction\b/;

/**
 * Whether a symbol is a function, and all changed lines are below the head of its declaration: members of types are seen by others.
 *
 * @param changed 1-based lines of the text that has the symbol; 7.5 is the gap between two
 */
export async function isInBody(
  { location, symbol }: Pick<Target, 'location' | 'symbol'>,
  changed: readonly number[],
  files: Files,
): Promise<boolean> {
  if (!symbol || changed.length === 0) return false;
  const { line, endLine } = symbol;
  const numbers = Array.from({ length: endLine - line }, (_, index) => line - 1 + index);
  const head = [...(await files.lines(location, numbers))].find(([, text]) => HEAD_END.test(text));
  const isFunction = head && (FUNCTIONS.has(symbol.kind) || FUNCTION_HEAD.test(head[1]));
  return isFunction === true && changed.every((one) => one > head[0] + 1);
}
