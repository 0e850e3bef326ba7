import { differences, type Part } from '../../util/lineDiff.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Scope } from '../scope.ts';
import { isBytes, textOf, versionsOf } from './fileDiff.ts';

/** Lines that a diff often takes from a neighbour: a changed one says nothing. */
const INSIGNIFICANT = /^[\s)\]};,]*$/;

/**
 * The lines of a file in the editor that differ from the last commit, 1-based; 7.5 if lines between 7 and 8 were deleted.
 *
 * @returns undefined if the last commit does not have the file, or if it is not text
 * @throws UserError
 */
export async function changedLines(location: Location, scope: Scope): Promise<number[] | undefined> {
  const [then, now] = await versionsOf(location, scope);
  if (then === 'none' || isBytes(then) || isBytes(now)) return undefined;
  return changedLinesOf(textOf(then), textOf(now));
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
    return part.added ? lines.flatMap((line, at) => (INSIGNIFICANT.test(line) ? [] : [first + at])) : [];
  });
}

const linesOf = ({ value }: Part): string[] => value.replace(/\n$/, '').split('\n');

const counts = (part: Part): boolean => linesOf(part).some((line) => !INSIGNIFICANT.test(line));
