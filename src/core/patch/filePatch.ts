import { UserError } from '../errors.ts';

/** A patch of one file. Without `from` it creates a file, without `to` it deletes one; two names are a rename or a copy. */
export interface FilePatch {
  from?: string;
  to?: string;
  /** `from` stays. */
  isCopy?: true;
  hunks: readonly Hunk[];
}

/** Adjacent lines of a file, before and after. */
export interface Hunk {
  /** 1-based line of the patch, for messages. */
  line: number;
  /** 0-based line of the old file that the patch states; undefined if it states none. */
  start?: number;
  /** Lines somewhere above the hunk, without white space around them, outermost first. */
  anchors: readonly string[];
  isAtEnd: boolean;
  lines: readonly HunkLine[];
}

export interface HunkLine {
  kind: ' ' | '-' | '+';
  text: string;
  /** It is the last line of its file, which ends without a newline. */
  isUnended?: true;
}

export const oldLines = ({ lines }: Hunk): HunkLine[] => lines.filter(({ kind }) => kind !== '+');
export const newLines = ({ lines }: Hunk): HunkLine[] => lines.filter(({ kind }) => kind !== '-');

/** The lines of a patch, and the index of the next one to read. */
export interface PatchReader {
  readonly lines: readonly string[];
  at: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** Models write these in place of line numbers. */
const NO_ANCHOR = /^[-+,.…\d\s]*$/;
const AT_END = '*** End of File';
/** The first line of a hunk's body may not have any other start. An empty one is an empty context line. */
const BODY = /^(?:[-+ \\]|$)/;

/**
 * Reads a hunk of either form of a patch, from its line with `@@` or its body. Counts in its header may be missing or wrong.
 *
 * @param isFile whether another file's header is at an index
 * @throws UserError if the hunk has no lines
 */
export function readHunk(patch: PatchReader, isFile: (index: number) => boolean = () => false): Hunk {
  const { lines, at } = patch;
  const anchors: string[] = [];
  let from = at;
  let header: RegExpExecArray | null = null;
  for (; !header && lines[from]?.startsWith('@@'); from++) {
    header = HEADER.exec(lines[from] ?? '');
    const anchor = (lines[from] ?? '')
      .slice(2)
      .replace(/@@\s*$/, '')
      .trim();
    if (!header && !NO_ANCHOR.test(anchor)) anchors.push(anchor);
  }
  const isEnd = (index: number) =>
    !BODY.test(lines[index] ?? '@') || isFile(index) || isSignature(lines, index);
  const counts = header?.slice(2).map((count) => Number(count ?? 1));
  const end = (counts && countedEnd(lines, from, counts, isEnd)) ?? looseEnd(lines, from, isEnd);
  if (end === from) throw new UserError(`Line ${at + 1} of the patch: this hunk has no lines.`);
  const isAtEnd = lines[end]?.trim() === AT_END;
  const hunk: Hunk = { line: at + 1, anchors, isAtEnd, lines: bodyOf(lines.slice(from, end)) };
  // A hunk without old lines names the line before it.
  if (header) hunk.start = Math.max(0, Number(header[1]) - (counts?.[0] === 0 ? 0 : 1));
  patch.at = isAtEnd ? end + 1 : end;
  return hunk;
}

/** Index after the lines that the header counts; undefined if the hunk does not end there. */
function countedEnd(
  lines: readonly string[],
  from: number,
  [old = 0, recent = 0]: readonly number[],
  isEnd: (index: number) => boolean,
): number | undefined {
  const left = { old, recent };
  let at = from;
  for (; left.old > 0 || left.recent > 0 || lines[at]?.startsWith('\\'); at++) {
    const line = lines[at];
    if (line === undefined || !BODY.test(line)) return undefined;
    if (line.startsWith('\\')) continue;
    if (!line.startsWith('+')) left.old--;
    if (!line.startsWith('-')) left.recent--;
  }
  let next = at;
  while (lines[next] === '') next++;
  return left.old === 0 && left.recent === 0 && isEnd(next) ? at : undefined;
}

/** Index after all lines that look like a hunk's, without empty ones at the end. */
function looseEnd(lines: readonly string[], from: number, isEnd: (index: number) => boolean): number {
  let end = from;
  while (!isEnd(end)) end++;
  while (end > from && lines[end - 1] === '') end--;
  return end;
}

/** `git format-patch` ends with the version of Git. */
const isSignature = (lines: readonly string[], at: number): boolean =>
  /^-- ?$/.test(lines[at] ?? '') && /^\d+\.\d+/.test(lines[at + 1] ?? '');

function bodyOf(lines: readonly string[]): HunkLine[] {
  const body: HunkLine[] = [];
  for (const line of lines) {
    const last = body.at(-1);
    if (!line.startsWith('\\'))
      body.push({ kind: (line.charAt(0) || ' ') as HunkLine['kind'], text: line.slice(1) });
    else if (last) last.isUnended = true;
  }
  return body;
}
