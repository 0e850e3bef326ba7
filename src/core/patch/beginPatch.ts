/** The form of a patch that starts with `*** Begin Patch`. */
import { UserError } from '../errors.ts';
import type { FilePatch, Hunk } from './filePatch.ts';
import { readHunk } from './readHunk.ts';

const HEADER = /^\*\*\* (Add File|Delete File|Update File|Move to): +(.*\S)\s*$/;
const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
const END = /^\s*\*\*\* End Patch\s*$/;

/** Whether a patch has this form: its first line that starts a patch is that of this one. */
export const isBeginPatch = (lines: readonly string[]): boolean =>
  BEGIN.test(lines.find((line) => BEGIN.test(line) || /^(?:diff |--- )/.test(line)) ?? '');

/** The patches of all files, in order. @throws UserError with the line that does not fit */
export function readBeginPatch(lines: readonly string[]): FilePatch[] {
  const end = lines.findLastIndex((line) => END.test(line));
  if (end < 0)
    throw new UserError('The patch has no line "*** End Patch": it may be cut off. Send all of it.');
  const inside = lines.slice(0, end);
  const files: FilePatch[] = [];
  let at = inside.findIndex((line) => BEGIN.test(line)) + 1;
  while (at < end) {
    if (inside[at]?.trim() === '') at++;
    else {
      const { file, next } = readFile(inside, at);
      files.push(file);
      at = next;
    }
  }
  return files;
}

function readFile(lines: readonly string[], at: number): { file: FilePatch; next: number } {
  const [, action, path = ''] = HEADER.exec(lines[at]?.trim() ?? '') ?? [];
  if (action === 'Delete File') return { file: { from: path, hunks: [] }, next: at + 1 };
  if (action === 'Add File') {
    const { hunks, next } = added(lines, at + 1);
    return { file: { to: path, hunks }, next };
  }
  if (action !== 'Update File')
    throw new UserError(
      `Line ${at + 1} of the patch is none that can be here: ${JSON.stringify(lines[at])}. Files start with "*** Add File: ", "*** Update File: " or "*** Delete File: "; lines of hunks with a space, "-" or "+".`,
    );
  const [, move, to = path] = HEADER.exec(lines[at + 1] ?? '') ?? [];
  const isMove = move === 'Move to';
  const { hunks, next } = readHunks(lines, isMove ? at + 2 : at + 1);
  return { file: { from: path, to: isMove ? to : path, hunks }, next };
}

/** The text of a new file, as a hunk. */
function added(lines: readonly string[], at: number): { hunks: Hunk[]; next: number } {
  let next = at;
  while (/^(?:\+|$)/.test(lines[next] ?? '*')) next++;
  const texts = lines.slice(at, next).map((line) => line.slice(1));
  while (lines[at + texts.length - 1] === '' && texts.length > 0) texts.pop();
  const hunk: Hunk = {
    line: at + 1,
    anchors: [],
    isAtEnd: false,
    lines: texts.map((text) => ({ kind: '+', text })),
  };
  return { hunks: texts.length > 0 ? [hunk] : [], next };
}

/** The first hunk may have no line with `@@`. */
function readHunks(lines: readonly string[], at: number): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  let next = at;
  for (;;) {
    while (lines[next]?.trim() === '') next++;
    if (!/^(?:@@|[-+ ])/.test(lines[next] ?? '')) return { hunks, next };
    const read = readHunk(lines, next);
    hunks.push(read.hunk);
    next = read.next;
  }
}
