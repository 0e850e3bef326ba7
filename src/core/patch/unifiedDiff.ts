/** Unified diffs as `git diff` and `diff -u` write them. */
import { UserError } from '../errors.ts';
import { type FilePatch, type Hunk, type PatchReader, readHunk } from './filePatch.ts';

/** After these lines there may be text that is no part of the patch. */
const PROSE = /^(?:```|-- ?$|From [0-9a-f]{40} |diff |EOF$)/;
/** These may be between files. */
const BETWEEN = /^(?:\s*$|Index: |={5,}|Only in )/;
const BINARY = /^(?:GIT binary patch|Binary files .* differ|Files .* differ)$/;
const NOT_TEXT = /^(?:(?:old|new|new file|deleted file) mode|index \S+) 1[26]0000$/;

interface Header {
  git?: [string, string] | undefined;
  /** The names after `---` and `+++`; undefined for no file. */
  names?: [string | undefined, string | undefined];
  isNew?: boolean;
  isDeleted?: boolean;
  renamed?: { from?: string; to?: string };
  isCopy?: boolean;
}

/** The patches of all files, in order, without those that change only modes. @throws UserError with the line that does not fit */
export function readUnifiedDiff(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  const patch = { lines, at: 0 };
  let isProse = true;
  while (patch.at < lines.length) {
    const { at } = patch;
    const line = lines[at] ?? '';
    if (BINARY.test(line)) throw binary(at, line);
    if (line.startsWith('diff --cc ') || line.startsWith('diff --combined '))
      throw new UserError(`Line ${at + 1} of the patch: a combined diff of a merge cannot be applied.`);
    if (line.startsWith('diff --git ') || isNames(lines, at)) {
      const file = readFile(patch);
      if (file) files.push(file);
      isProse = false;
      continue;
    }
    isProse ||= PROSE.test(line);
    if (!isProse && !BETWEEN.test(line))
      throw new UserError(
        `Line ${at + 1} of the patch is not allowed here: ${JSON.stringify(line)}. Lines of hunks start with a space, "-" or "+".`,
      );
    patch.at++;
  }
  return files;
}

/** Whether `---` and `+++` are here, with a hunk below. */
const isNames = (lines: readonly string[], at: number): boolean =>
  /^--- \S/.test(lines[at] ?? '') &&
  /^\+\+\+ \S/.test(lines[at + 1] ?? '') &&
  /^@@/.test(lines[at + 2] ?? '');

/** Undefined if it changes only modes. */
function readFile(patch: PatchReader): FilePatch | undefined {
  const { lines, at: start } = patch;
  const header: Header = {};
  for (let taken = 1; taken > 0 && patch.at < lines.length; patch.at += taken)
    taken = takeHeader(header, lines, patch.at, patch.at === start);
  const hunks: Hunk[] = [];
  while (lines[patch.at]?.startsWith('@@')) {
    hunks.push(readHunk(patch, (index) => isNames(lines, index)));
    while (lines[patch.at] === '') patch.at++;
  }
  const file = patchOf(header, hunks, start);
  return hunks.length === 0 && file.from === file.to ? undefined : file;
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

/**
 * A name as a header has it; undefined for `/dev/null`, or for a file that `diff -N` says did not exist.
 *
 * @param field `a/b.ts`, `"a/\303\244.ts"`, or with a time after a tab
 */
function nameOf(field: string): string | undefined {
  const [name = '', time = ''] = splitField(field);
  return name === '/dev/null' || /^(?:1970-01-01|1969-12-31) /.test(time) ? undefined : name;
}

function splitField(field: string): [name: string, rest: string] {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(field)?.[0];
  if (quoted) return [unquoted(quoted), field.slice(quoted.length).trim()];
  const tab = field.indexOf('\t');
  return tab < 0 ? [field.trimEnd(), ''] : [field.slice(0, tab), field.slice(tab + 1)];
}

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A name that Git quoted as in C: other characters than ASCII are octal bytes of UTF-8. */
function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes = name.slice(1, -1).replaceAll(/\\([0-7]{3}|.)|[^\\]+/gs, (piece, escaped?: string) => {
    if (escaped === undefined) return Buffer.from(piece).toString('latin1');
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return ESCAPES[escaped] ?? escaped;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The two names of `diff --git A B`; undefined if it is not clear where the first one ends. */
function gitNames(rest: string): [string, string] | undefined {
  const parts = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest)?.slice(1);
  const half = (rest.length - 1) / 2;
  const [a, b] = parts ?? [rest.slice(0, half), rest.slice(half + 1)];
  return a && b && (parts || rest.charAt(half) === ' ') ? [unquoted(a), unquoted(b)] : undefined;
}

/**
 * The file that two names mean, without prefixes such as `a/` and `b/`; undefined if they mean two files.
 */
function commonName(a: string, b: string): string | undefined {
  if (a === b) return a;
  const [bareA, bareB] = [bare(a), bare(b)];
  if (bareA === bareB) return bareA;
  // `diff -u x.orig x`
  if (/^[.~]/.test(a.startsWith(b) ? a.slice(b.length) : '')) return b;
  return /^[.~]/.test(b.startsWith(a) ? b.slice(a.length) : '') ? a : undefined;
}

/** Without the first folder. */
const bare = (name: string): string => name.slice(name.indexOf('/') + 1);

/** A name without Git's prefix. @param prefix `a/` or `b/` */
const withoutPrefix = (name: string, prefix: string): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : name;
