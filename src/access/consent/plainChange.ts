import { differences } from '../../util/lineDiff.ts';
import { changeOf } from './changes.ts';

/**
 * Whether a diff editor shows a change in full, whatever settings a repository has for it: no invisible characters, no long lines,
 * and no lines that differ only in white space. Pure.
 */
export function isPlainChange({ before, after }: { before: string; after: string }): boolean {
  const { hidden, long, isCut } = changeOf({ before, after }, Number.POSITIVE_INFINITY);
  if (hidden.length + long.length > 0 || isCut) return false;
  const trimmed = (lines: string) => lines.split('\n').map((line) => line.trim());
  const parts = differences(before, after);
  const removed = new Set(parts.flatMap((part) => (part.removed ? trimmed(part.value) : [])));
  const added = parts.flatMap((part) => (part.added ? trimmed(part.value) : []));
  return !added.some((line) => line !== '' && removed.has(line));
}
