/** The form of a patch that starts with `*** Begin Patch`. */
import { UserError } from '../errors.ts';
import type { FilePatch, Hunk, PatchReader } from './filePatch.ts';
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
  const patch = { lines: inside, at: inside.findIndex((line) => BEGIN.test(line)) + 1 };
  const files: FilePatch[] = [];
  while (patch.at < end) {
    if (inside[patch.at]?.trim() === '') patch.at++;
    else files.push(readFile(patch));
  }
  return files;
}

function readFile(patch: PatchReader): FilePatch {
  const { lines } = patch;
  const line = lines[patch.at++] ?? '';
  const [, action, path = ''] = HEADER.exec(line.trim()) ?? [];
  if (action === 'Delete File') return { from: path, hunks: [] };
  if (action === 'Add File') return { to: path, hunks: readAdded(patch) };
  if (action !== 'Update File')
    throw new UserError(
      `Line ${patch.at} of the patch is none that can be here: ${JSON.stringify(line)}. Files start with "*** Add File: ", "*** Update File: " or "*** Delete File: "; lines of hunks with a space, "-" or "+".`,
    );
  const [, move, to = path] = HEADER.exec(lines[patch.at] ?? '') ?? [];
  const isMove = move === 'Move to';
  if (isMove) patch.at++;
  return { from: path, to: isMove ? to : path, hunks: readHunks(patch) };
}

/** The text of a new file, as a hunk; none if it is empty. */
function readAdded(patch: PatchReader): Hunk[] {
  const { lines, at } = patch;
  while (/^(?:\+|$)/.test(lines[patch.at] ?? '*')) patch.at++;
  const added = lines.slice(at, patch.at);
  while (added.at(-1) === '') added.pop();
  if (added.length === 0) return [];
  const own = added.map((line) => ({ kind: '+' as const, text: line.slice(1) }));
  return [{ line: at + 1, anchors: [], isAtEnd: false, lines: own }];
}

/** The first hunk may have no line with `@@`. */
function readHunks(patch: PatchReader): Hunk[] {
  const hunks: Hunk[] = [];
  for (;;) {
    while (patch.lines[patch.at]?.trim() === '') patch.at++;
    if (!/^(?:@@|[-+ ])/.test(patch.lines[patch.at] ?? '')) return hunks;
    hunks.push(readHunk(patch));
  }
}
