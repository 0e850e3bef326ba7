import { type ExecFileException, execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { isWithin } from '../../core/paths.ts';
import type { Bytes } from '../../workspace/edit/journal.ts';
import { requireGit } from './gitApi.ts';

/** For one run of Git, in milliseconds, and the most bytes that it prints. */
const GIT_TIMEOUT_MS = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** A repository, or the part of one that is looked at. */
interface Place {
  /** Absolute, as VS Code spells it: there may be a link in it. */
  folder: string;
  /** Where the folder is in the repository: empty, or with `/` at its end. */
  prefix: string;
}

/** What Git knew of the files in a folder at a moment. */
export interface Worktree extends Place {
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Absolute paths of files that differ from the commit or the index, and of new ones that are not ignored. */
  changed: ReadonlySet<string>;
}

/**
 * The repositories that VS Code has open, the parts of others that are workspace folders, which VS Code opens only if the user says
 * so, and the program that it uses; undefined without Git.
 */
export async function openRepositories(
  code: typeof vscode,
): Promise<{ program: string; places: Place[] } | undefined> {
  const api = await requireGit(code).catch(() => undefined);
  const program = api?.git?.path;
  if (!api || !program) return undefined;
  const local = (uris: readonly vscode.Uri[]) =>
    uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const roots = local(api.repositories.map(({ rootUri }) => rootUri));
  const folders = local((code.workspace.workspaceFolders ?? []).map(({ uri }) => uri));
  const others = folders.filter((path) => !roots.some((root) => isWithin(path, root, process.platform)));
  const parts = await Promise.all(others.map((folder) => placeOf(program, folder).catch(() => [])));
  return { program, places: [...roots.map((folder) => ({ folder, prefix: '' })), ...parts.flat()] };
}

/** @throws Error of Git outside of a repository */
async function placeOf(program: string, folder: string): Promise<Place> {
  const prefix = `${await git(program, folder, ['rev-parse', '--show-prefix'])}`.replace(/\r?\n$/, '');
  return { folder, prefix };
}

/** Looks at a repository now, without locks that others would meet. @throws Error of Git */
export async function worktreeOf(program: string, { folder, prefix }: Place): Promise<Worktree> {
  const words = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames'];
  const printed = `${await git(program, folder, [...words, '--ignore-submodules=all', '--', '.'])}`;
  const lines = printed.split('\0');
  const oid = lines.map((line) => /^# branch\.oid ([\da-f]+)$/.exec(line)?.[1]).find(Boolean);
  const names = lines.flatMap((line) => CHANGED.exec(line)?.[1] ?? []);
  const paths = names.map((name) => join(folder, name.slice(prefix.length)));
  return { folder, prefix, commit: oid, changed: new Set(paths) };
}

/** git-status(1), "Porcelain Format Version 2": a changed, an unmerged and an untracked file, no folder with a repository of its own. */
const CHANGED = /^(?:1(?: \S+){7}|u(?: \S+){9}|\?) (.*[^/])$/s;

/** Names in one call: Windows has room for 32,000 characters. */
const MOST_NAMES = 100;

/**
 * The bytes that files have where a commit is checked out, by name; undefined for a link. Names that the commit does not have are
 * missing.
 *
 * @param names as Git has them: from the root of the repository, with `/`
 * @throws Error of Git
 */
export async function committedFiles(
  program: string,
  { folder, commit }: Worktree,
  names: readonly string[],
): Promise<Map<string, Bytes | undefined>> {
  const found = new Map<string, Bytes | undefined>();
  if (commit === undefined) return found;
  const objects: string[] = [];
  const programs = new Set<string>();
  for (let at = 0; at < names.length; at += MOST_NAMES) {
    const words = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--'];
    const listed = `${await git(program, folder, [...words, ...names.slice(at, at + MOST_NAMES)])}`;
    for (const [, mode = '', object, name = ''] of listed.matchAll(LISTED)) {
      found.set(name, undefined);
      if (mode === '100755') programs.add(name);
      if (mode.startsWith('100') && !name.includes('\n')) objects.push(`${object} ${name}\n`);
    }
  }
  for (const [name, bytes] of await checkedOut(program, folder, objects))
    found.set(name, programs.has(name) ? Object.assign(bytes, { mode: 0o755 }) : bytes);
  return found;
}

/** git-ls-tree(1), "Output Format". */
const LISTED = /(\d+) \w+ (\w+)\t([^\0]+)\0/g;

/**
 * The bytes of objects as they are checked out, by name. Where a filter fails, those of the others.
 *
 * @param objects lines of an object and a name
 */
async function checkedOut(
  program: string,
  folder: string,
  objects: readonly string[],
): Promise<[string, Buffer][]> {
  if (objects.length === 0) return [];
  try {
    return await filtered(program, folder, objects);
  } catch (error) {
    const { killed } = error as ExecFileException;
    if (killed || objects.length === 1) throw error;
    const middle = objects.length / 2;
    const halves = [objects.slice(0, middle), objects.slice(middle)];
    const found = await Promise.all(halves.map((half) => checkedOut(program, folder, half).catch(() => [])));
    return found.flat();
  }
}

/** @throws Error of Git, or of a filter */
async function filtered(
  program: string,
  folder: string,
  objects: readonly string[],
): Promise<[string, Buffer][]> {
  const found: [string, Buffer][] = [];
  // The size that Git prints is not that of the filtered text: so a word that no text has stands between the files.
  const border = randomUUID();
  const words = ['cat-file', '--filters', `--batch=${border} %(rest)`];
  const printed = await git(program, folder, words, objects.join(''));
  for (let at = printed.indexOf(border); at >= 0; ) {
    const line = printed.indexOf('\n', at);
    const next = printed.indexOf(border, line);
    const name = `${printed.subarray(at + border.length + 1, line)}`;
    const bytes = printed.subarray(line + 1, (next < 0 ? printed.length : next) - 1);
    if (!bytes.subarray(0, LFS_POINTER.length).equals(LFS_POINTER)) found.push([name, bytes]);
    at = next;
  }
  return found;
}

/** How Git LFS begins what it stands for, which is not downloaded here. Source: git-lfs, docs/spec.md. */
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/');

/** No locks that others would meet, no questions, and no downloads of Git LFS. */
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1', LC_ALL: 'C' };

function git(program: string, folder: string, words: string[], input?: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const env = { ...process.env, ...QUIET };
  const options = {
    cwd: folder,
    env,
    encoding: 'buffer',
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: MOST_BYTES,
  } as const;
  const { stdin } = execFile(program, words, options, (error, printed) =>
    error ? reject(error) : resolve(printed),
  );
  stdin?.on('error', () => {}); // it has ended already
  stdin?.end(input);
  return promise;
}
