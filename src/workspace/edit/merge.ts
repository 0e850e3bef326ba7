import { type LineChange, lineChanges } from '../../util/lineDiff.ts';

/** A place where two changes of a text meet. Lines of the common text, 0-based; the end is exclusive. */
export interface Conflict {
  start: number;
  end: number;
}

/**
 * Merges two changes of a text, line by line; all have `\n` between the lines.
 *
 * @returns the text with both changes, or with `theirs` alone where they touch the same or adjacent lines; and those places
 */
export function merge(base: string, ours: string, theirs: string): { text: string; conflicts: Conflict[] } {
  const others = lineChanges(base, theirs).map(linesOf);
  const own = lineChanges(base, ours).map(linesOf);
  const conflicts: Conflict[] = [];
  const kept = own.filter((one) => {
    const meets = others.some((other) => isMeeting(one, other));
    if (meets) conflicts.push({ start: one.start, end: one.end });
    return !meets;
  });
  const lines = base.split(/(?<=\n)/);
  const changes = [...kept, ...others].sort((a, b) => a.start - b.start);
  let at = 0;
  const parts = changes.map(({ start, end, text }) => {
    const same = lines.slice(at, start).join('');
    at = end;
    return same + text;
  });
  return { text: parts.join('') + lines.slice(at).join(''), conflicts };
}

/** Insertions also meet what begins or ends there. */
function isMeeting(a: Conflict, b: Conflict): boolean {
  const isInsertion = a.start === a.end || b.start === b.end;
  return isInsertion ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}

/** Changes are of whole lines; the last one may end within its line, at the end of the text. */
const linesOf = ({ start, end, text }: LineChange) => ({
  start: start.line,
  end: end.character > 0 ? end.line + 1 : end.line,
  text,
});
