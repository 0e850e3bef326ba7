/** The texts of a changed file, and on which lines they differ. */
import { type DiffPart, differences } from '../../../util/lineDiff.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isBytes, textOf, versionsOf } from '../../git/fileDiff.ts';
import type { Scope } from '../../scope.ts';

/** Other lines are often taken from a neighbour by a diff: a changed one says nothing. */
const SIGNIFICANT = /[^\s)\]};,]/;

/**
 * The text of a file in the last commit and in the editor; the same twice of a file that is not text: it has no symbols.
 *
 * @returns undefined if the last commit does not have its text
 * @throws UserError
 */
export async function textsOf(
  location: Location,
  scope: Scope,
): Promise<[then: string, now: string] | undefined> {
  const [then, now] = await versionsOf(location, scope);
  if (isBytes(now)) return ['', ''];
  return then === 'none' || isBytes(then) ? undefined : [textOf(then), textOf(now)];
}

/** The lines of the second text that differ from the first, 1-based; 7.5 if lines between 7 and 8 were deleted. Both have `\n`. */
export function changedLinesOf(then: string, now: string): number[] {
  const parts = differences(then, now);
  let next = 1;
  return parts.flatMap((part, index) => {
    const first = next;
    const following = parts[index + 1];
    const isReplaced = following?.added && counts(following);
    if (part.removed) return counts(part) && !isReplaced ? [first - 0.5] : [];
    const lines = linesOf(part);
    next += lines.length;
    return part.added ? lines.flatMap((line, at) => (SIGNIFICANT.test(line) ? [first + at] : [])) : [];
  });
}

const linesOf = ({ value }: DiffPart): string[] => value.replace(/\n$/, '').split('\n');

const counts = ({ value }: DiffPart): boolean => SIGNIFICANT.test(value);
