import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { requireGit } from './gitApi.ts';

/** For one run of Git, in milliseconds, and the most bytes that it prints. */
const GIT_TIMEOUT_MS = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** What Git knew of a repository at a moment. */
export interface Worktree {
  /** Absolute. */
  root: string;
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Absolute paths of files that differ from the commit or the index, and of new ones that are not ignored. */
  changed: ReadonlySet<string>;
}

/** The roots of the repositories that VS Code has open, and the program that it uses; undefined without Git. */
export async function openRepositories(
  code: typeof vscode,
): Promise<{ program: string; roots: string[] } | undefined> {
  const api = await requireGit(code).catch(() => undefined);
  const program = api?.git?.path;
  if (!api || !program) return undefined;
  const local = api.repositories.filter(({ rootUri }) => rootUri.scheme === 'file');
  return { program, roots: local.map(({ rootUri }) => rootUri.fsPath) };
}

/** Looks at a repository now, without locks that others would meet. @throws Error of Git */
export async function worktreeOf(program: string, root: string): Promise<Worktree> {
  const words = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames'];
  const printed = `${await git(program, root, [...words, '--ignore-submodules=all'])}`;
  const lines = printed.split('\0');
  const oid = lines.map((line) => /^# branch\.oid ([\da-f]+)$/.exec(line)?.[1]).find(Boolean);
  const names = lines.flatMap((line) => CHANGED.exec(line)?.[1] ?? []);
  return { root, commit: oid, changed: new Set(names.map((name) => join(root, name))) };
}

/** git-status(1), "Porcelain Format Version 2": a changed, an unmerged and an untracked file. */
const CHANGED = /^(?:1(?: \S+){7}|u(?: \S+){9}|\?) (.+)$/s;

/**
 * The bytes that a file has where a commit is checked out; undefined if the commit does not have it.
 *
 * @param name relative to the root, with `/`
 * @throws Error of Git
 */
export async function committedBytes(
  program: string,
  { root, commit }: Worktree,
  name: string,
): Promise<Buffer | undefined> {
  if (commit === undefined) return undefined;
  return git(program, root, ['cat-file', '--filters', `${commit}:${name}`]).catch((error: Error) => {
    if (/does not exist in|exists on disk, but not in/.test(error.message)) return undefined;
    throw error;
  });
}

const git = (program: string, root: string, words: string[]): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  const options = {
    cwd: root,
    env,
    encoding: 'buffer',
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: MOST_BYTES,
  } as const;
  execFile(program, words, options, (error, printed) => (error ? reject(error) : resolve(printed)));
  return promise;
};
