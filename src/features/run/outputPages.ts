/** Lines that an agent may see, from one of them on. */
export interface Shown {
  head: readonly string[];
  tail: readonly string[];
  /** Lines between them that are not kept. */
  dropped: number;
  /** The number of all lines, earlier ones included. */
  count: number;
  /** What is held back, because a secret may go on in it. */
  heldBack?: string;
}

/** A character: its line (1-based), and its column in UTF-16 units (1-based). */
export interface Place {
  line: number;
  column: number;
}

/** All lines, or the first and the last of them that have room. @param most in UTF-16 units */
export function ends({ head, tail, dropped }: Shown, most: number): string {
  const lines = [...head, ...tail];
  if (dropped === 0 && sizeOf(lines) <= most) return lines.join('\n').trimEnd();
  const first = fitting(head.length > 0 ? head : tail, most / 4);
  const rest = dropped === 0 ? [...lines.slice(first.whole)] : [...tail];
  if (dropped === 0 && first.part > 0) rest[0] = rest[0]?.slice(first.part) ?? '';
  const last = fitting(rest.reverse(), most - sizeOf(first.lines), true);
  const from = { line: first.whole + 1, column: first.part + 1 };
  const to = lines.length + dropped - last.whole; // the last line of which something is left out
  const end = last.part > 0 ? (lines.at(-1 - last.whole)?.length ?? 0) - last.part : undefined;
  return [...first.lines, ...gapNote(from, to, end), ...last.lines.reverse()].join('\n');
}

function gapNote({ line, column }: Place, to: number, end: number | undefined): string[] {
  if (to < line) return [];
  if (column === 1 && end === undefined)
    return [`[lines ${line} to ${to} are left out here; fromLine ${line} reads them]`];
  const part =
    to === line && end !== undefined
      ? `columns ${column} to ${end} of line ${line}`
      : `line ${line}, column ${column} to line ${to}${end === undefined ? '' : `, column ${end}`}`;
  return [`[${part} are left out here; ${callFor({ line, column })} reads on]`];
}

const callFor = ({ line, column }: Place): string =>
  column === 1 ? `fromLine ${line}` : `fromLine ${line} with fromColumn ${column}`;

/** What has room from a place on, and the call that goes on. @param most in UTF-16 units */
export function page(
  { head, tail, dropped, count }: Shown,
  { line: fromLine, column }: Place,
  most: number,
): string {
  if (fromLine > count) return `It has ${count} ${count === 1 ? 'line' : 'lines'}.`;
  const isGone = head.length === 0 && dropped > 0;
  const from = isGone ? fromLine + dropped : fromLine;
  const [first = '', ...others] = head.length > 0 && dropped > 0 ? head : [...head, ...tail];
  if (column > 1 && column > first.length) return `Line ${from} has ${first.length} columns.`;
  const { lines, whole, part } = fitting([first.slice(column - 1), ...others], most);
  const gone = isGone ? `[lines ${fromLine} to ${from - 1} are not kept]\n` : '';
  const next = { line: from + whole, column: part > 0 ? part + (whole === 0 ? column : 1) : 1 };
  const to = part > 0 ? `${next.line}, column ${next.column - 1},` : `${next.line - 1}`;
  const more = next.line > count ? '' : `\n[lines ${from} to ${to} of ${count}; go on with ${callFor(next)}]`;
  return gone + lines.join('\n') + more;
}

/** The last of the lines that have room. @param most in UTF-16 units */
export function lastOf({ head, tail, dropped, heldBack }: Shown, most: number): string {
  const rest = [...head, ...tail];
  const last = fitting(rest.reverse(), most, true);
  const out = dropped + rest.length - last.whole - (last.part > 0 ? 1 : 0);
  return [
    ...(out > 0 ? [`[${out} lines are left out]`] : []),
    ...(last.part > 0 ? ['[the beginning of this line is left out]'] : []),
    ...last.lines.reverse(),
    ...(heldBack ? [`[${heldBack}]`] : []),
  ]
    .join('\n')
    .trimEnd();
}

interface Fitting {
  lines: string[];
  /** How many of them are whole. */
  whole: number;
  /** UTF-16 units of one more line, of which only a part has room; else 0. */
  part: number;
}

/** The first lines that have room, with a part of the next one if much of the room were empty. @param fromEnd of that the end */
function fitting(lines: readonly string[], most: number, fromEnd = false): Fitting {
  let whole = 0;
  let room = most;
  for (; whole < lines.length; whole++) {
    const size = (lines[whole]?.length ?? 0) + 1;
    if (size > room) break;
    room -= size;
  }
  const kept = lines.slice(0, whole);
  const next = lines[whole];
  if (next === undefined || (whole > 0 && room < most / 4)) return { lines: kept, whole, part: 0 };
  const at = betweenCharacters(next, fromEnd ? next.length - Math.floor(room) : Math.floor(room));
  const part = fromEnd ? next.length - at : at;
  return { lines: [...kept, fromEnd ? next.slice(at) : next.slice(0, at)], whole, part };
}

/** Not between the two units of one character. */
const betweenCharacters = (line: string, at: number): number =>
  /[\udc00-\udfff]/.test(line[at] ?? '') ? at + 1 : at;

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
