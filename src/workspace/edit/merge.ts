import { type LineChange, lineChanges } from '../../util/lineDiff.ts';

/** A place where two changes of a text meet. Lines of the common text, 0-based; the end is exclusive. */
interface Conflict {
  start: number;
  end: number;
}

interface Merged {
  /** The text with both changes, but only `theirs` in conflicts: changes of the same or adjacent lines. */
  text: string;
  conflicts: Conflict[];
  /** The base with only those changes of `theirs` that are in conflicts. */
  others: string;
}

/** Merges two changes of a text, line by line; all have `\n` between the lines. A change that both made is no conflict. */
export function merge(base: string, ours: string, theirs: string): Merged {
  const others = lineChanges(base, theirs).map(linesOf).flatMap(apart);
  const own = lineChanges(base, ours).map(linesOf).flatMap(apart);
  const conflicts: Conflict[] = [];
  const kept = own.filter((one) => {
    const meeting = others.filter((other) => isMeeting(one, other));
    const isMadeByBoth = meeting.some((other) => isSame(one, other));
    if (meeting.length > 0 && !isMadeByBoth) conflicts.push({ start: one.start, end: one.end });
    return meeting.length === 0;
  });
  const meeting = others.filter((other) => conflicts.some((one) => isMeeting(one, other)));
  return { text: changed(base, [...kept, ...others]), conflicts, others: changed(base, meeting) };
}

type Change = Conflict & { text: string };

const isSame = (a: Change, b: Change): boolean => a.start === b.start && a.end === b.end && a.text === b.text;

function changed(base: string, all: readonly Change[]): string {
  const lines = base.split(/(?<=\n)/);
  const changes = all.toSorted((a, b) => a.start - b.start);
  let at = 0;
  const parts = changes.map(({ start, end, text }) => {
    const same = lines.slice(at, start).join('');
    at = end;
    return same + text;
  });
  return parts.join('') + lines.slice(at).join('');
}

/** Insertions also meet what begins or ends there. */
function isMeeting(a: Conflict, b: Conflict): boolean {
  const isInsertion = a.start === a.end || b.start === b.end;
  return isInsertion ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}

/** Changes are of whole lines; the last one may end within its line, at the end of the text. */
export const linesOf = ({ start, end, text }: LineChange) => ({
  start: start.line,
  end: end.character > 0 ? end.line + 1 : end.line,
  text,
});

/** A deletion of several lines, line by line: if one of them was changed, the others still go. */
const apart = (change: Change): Change[] =>
  change.text === '' && change.end > change.start
    ? Array.from({ length: change.end - change.start }, (_, index) => ({
        start: change.start + index,
        end: change.start + index + 1,
        text: '',
      }))
    : [change];
