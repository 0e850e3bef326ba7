/** Unified diffs as `git diff` and `diff -u` write them. */
import { UserError } from '../errors.ts';
import type { FilePatch, Hunk } from './filePatch.ts';
import { commonName, gitNames, nameOf, unquoted, withoutPrefix } from './patchPaths.ts';
import { readHunk } from './readHunk.ts';

/** After these lines there may be text that is no part of the patch. */
const PROSE = /^(?:```|-- ?$|From [0-9a-f]{40} |diff |EOF$)/;
/** These may be between files. */
const BETWEEN = /^(?:\s*$|Index: |={5,}|Only in )/;
const BINARY = /^(?:GIT binary patch|Binary files .* differ|Files .* differ)$/;
/** Links and submodules. */
const NOT_TEXT = /^(?:(?:old|new|new file|deleted file) mode|index \S+) 1[26]0000$/;

/** What the lines above the hunks say. */
interface Header {
  git?: [string, string] | undefined;
  /** Of `---` and `+++`; undefined for no file. */
  names?: [string | undefined, string | undefined];
  isNew?: boolean;
  isDeleted?: boolean;
  renamed?: { from?: string; to?: string };
  isCopy?: boolean;
}

/** The patches of all files, in order, without those that change only modes. @throws UserError with the line that does not fit */
export function readUnifiedDiff(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  let isProse = true;
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (BINARY.test(line)) throw binary(at, line);
    if (line.startsWith('diff --cc ') || line.startsWith('diff --combined '))
      throw new UserError(`Line ${at + 1} of the patch: a combined diff of a merge cannot be applied.`);
    if (line.startsWith('diff --git ') || isNames(lines, at)) {
      const { file, next } = readFile(lines, at);
      if (file) files.push(file);
      at = next;
      isProse = false;
      continue;
    }
    isProse ||= PROSE.test(line);
    if (!isProse && !BETWEEN.test(line))
      throw new UserError(
        `Line ${at + 1} of the patch is none that can be here: ${JSON.stringify(line)}. Lines of hunks start with a space, "-" or "+".`,
      );
    at++;
  }
  return files;
}

/** Whether `---` and `+++` are here, with a hunk below. */
const isNames = (lines: readonly string[], at: number): boolean =>
  /^--- \S/.test(lines[at] ?? '') &&
  /^\+\+\+ \S/.test(lines[at + 1] ?? '') &&
  /^@@/.test(lines[at + 2] ?? '');

function readFile(lines: readonly string[], start: number): { file: FilePatch | undefined; next: number } {
  const header: Header = {};
  let at = start;
  while (at < lines.length) {
    const taken = takeHeader(header, lines, at, at === start);
    if (taken === 0) break;
    at += taken;
  }
  const isFile = (index: number) => isNames(lines, index);
  const hunks: Hunk[] = [];
  while (lines[at]?.startsWith('@@')) {
    const { hunk, next } = readHunk(lines, at, isFile);
    hunks.push(hunk);
    at = next;
    while (lines[at] === '') at++;
  }
  const file = patchOf(header, hunks, start);
  const isNothing = hunks.length === 0 && file.from === file.to;
  return { file: isNothing ? undefined : file, next: at };
}

/** How many lines at `at` belong to the header. @throws UserError for files that are not text */
function takeHeader(header: Header, lines: readonly string[], at: number, isFirst: boolean): number {
  const line = lines[at] ?? '';
  if (BINARY.test(line)) throw binary(at, line);
  if (NOT_TEXT.test(line))
    throw new UserError(`Line ${at + 1} of the patch: links and submodules cannot be patched.`);
  if (isFirst && line.startsWith('diff --git ')) {
    header.git = gitNames(line.slice('diff --git '.length));
    return 1;
  }
  if (isNames(lines, at)) {
    header.names = [nameOf(line.slice(4)), nameOf((lines[at + 1] ?? '').slice(4))];
    return 2;
  }
  const [, how, side, name = ''] = /^(rename|copy) (from|to) (.*)$/.exec(line) ?? [];
  if (how) {
    header.renamed = { ...header.renamed, [side as 'from' | 'to']: unquoted(name) };
    header.isCopy = how === 'copy';
    return 1;
  }
  if (line.startsWith('new file mode ')) header.isNew = true;
  else if (line.startsWith('deleted file mode ')) header.isDeleted = true;
  else return /^(?:old mode|new mode|similarity index|dissimilarity index|index) /.test(line) ? 1 : 0;
  return 1;
}

/** @throws UserError if it does not say which file it is */
function patchOf(header: Header, hunks: Hunk[], at: number): FilePatch {
  const { renamed, isCopy } = header;
  if (renamed?.from && renamed.to)
    return { from: renamed.from, to: renamed.to, ...(isCopy && { isCopy }), hunks };
  const inGit = header.git && commonName(...header.git);
  const [from, to] = header.names ?? [inGit, inGit];
  const isNew = header.isNew || from === undefined;
  const isDeleted = header.isDeleted || to === undefined;
  const path =
    from !== undefined && to !== undefined
      ? commonName(from, to)
      : (inGit ?? (from === undefined ? to && withoutPrefix(to, 'b/') : withoutPrefix(from, 'a/')));
  if (!path || (isNew && isDeleted))
    throw new UserError(
      `Line ${at + 1} of the patch: it is not clear which file this is. Give both headers the same path ("--- a/PATH", "+++ b/PATH"); a rename needs "diff --git", "rename from" and "rename to" lines.`,
    );
  return { ...(!isNew && { from: path }), ...(!isDeleted && { to: path }), hunks };
}

const binary = (at: number, line: string): UserError =>
  new UserError(
    `Line ${at + 1} of the patch: ${JSON.stringify(line)}. Patches of binary files cannot be applied; only text can. Remove them from the patch.`,
  );
