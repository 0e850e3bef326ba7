import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Scope } from '../scope.ts';
import {
  type Change,
  changesOf,
  locateChanged,
  presentUri,
  type Repository,
  requireGit,
  requireRepositories,
  STATUS,
} from './gitApi.ts';

/** One version of a file: text (and cells, of a notebook), `none` if the file does not exist, `bytes` if it is not text. */
type Side = { text: string; notebook?: string | undefined } | 'none' | 'bytes';

/**
 * A unified diff of a file in the editor against the last commit; empty if there is no difference.
 *
 * @throws UserError, NotFoundError
 */
export async function readDiff(path: string, ctx: Scope): Promise<string> {
  return diffOf(await locateChanged(path, ctx), ctx);
}

export interface Since {
  ref: string;
  changes: readonly Change[];
}

/** @param since the last commit if left out. @throws UserError */
export async function diffOf(location: Located, ctx: Scope, since?: Since): Promise<string> {
  const [then, now] = await versionsOf(location, ctx, since);
  if (isBytes(then) || isBytes(now)) return `Binary files a/${location.path} and b/${location.path} differ\n`;
  const [before, after] = readable(location, then, now);
  if (before === after) return '';
  const diff = then === 'none' || now === 'none' ? undefined : unifiedDiff(location.path, before, after);
  return (
    diff ?? wholeDiff(location.path, then === 'none' ? undefined : before, now === 'none' ? undefined : after)
  );
}

type Located = Pick<Location, 'uri' | 'targetUri' | 'path'>;

/** A file in a commit, the last one if left out, and in the editor, as agents may read it. @throws UserError */
export async function versionsOf(
  { path, uri, targetUri = uri }: Located,
  ctx: Scope,
  since?: Since,
): Promise<[then: Side, now: Side]> {
  // For a link, Git stores the target's path, but reading returns the target's text: diff the target.
  const location = { path, uri: targetUri };
  const repository = (await requireGit(ctx.vscode)).getRepository(targetUri);
  if (!repository) throw new UserError(`${path} is not in a Git repository that VS Code has open.`);
  const now = await present(location, ctx);
  return [await committed(location, repository, ctx, since), now];
}

export const textOf = (side: Side): string => (typeof side === 'object' ? side.text : '');

/** Git uses the same rule. */
export const isBytes = (side: Side): boolean => side === 'bytes' || textOf(side).includes('\0');

const nameOf = (ref: string): string => (ref === 'HEAD' ? 'the last commit' : ref);

const isNotebook = ({ path }: { path: string }): boolean => path.endsWith('.ipynb');

/** Notebooks are compared by their cells as agents read them, unsaved changes included. */
function readable({ path }: { path: string }, then: Side, now: Side): [before: string, after: string] {
  const cellsOf = (side: Side) => (typeof side === 'object' ? side.notebook : '');
  const [before, after] = [cellsOf(then), cellsOf(now)];
  return isNotebook({ path }) && before !== undefined && after !== undefined
    ? [before, after]
    : [textOf(then), textOf(now)];
}

/** Errors of VS Code's Git and of Git for a path that is not in a commit: ignored, or too new. */
const NOT_THERE =
  /path not known by git|relative path not found|does not exist in|exists on disk, but not in/i;

/** Their error for binary files. */
const NO_TEXT = /is binary/i;

async function committed(
  { uri, path }: Pick<Location, 'uri' | 'path'>,
  repository: Repository,
  { files }: Scope,
  { ref, changes }: Since = { ref: 'HEAD', changes: changesOf(repository) },
): Promise<Side> {
  const isIt = (change: Change) => presentUri(change).toString() === uri.toString();
  const own = changes.filter(isIt);
  const isNew = own.some(({ status }) => /added$|untracked|intent to add/.test(STATUS[status] ?? ''));
  if (isNew || !repository.state.HEAD?.commit) return 'none';
  const former = own.find(({ originalUri }) => originalUri.toString() !== uri.toString())?.originalUri ?? uri;
  if (!files.mayKnow(former))
    throw new UserError(`${path} had another name in ${nameOf(ref)}, and that file is closed to agents.`);
  try {
    // Git stores a text of gigabytes that is all alike in a few kilobytes.
    const { size } = await repository.getObjectDetails(ref, former.fsPath);
    if (size > files.policy.maxFileSize(former.fsPath))
      throw new UserError(
        `${path} has ${size} bytes in ${nameOf(ref)}, which is more than the limit (setting workspaceMcp.access.maxFileSize).`,
      );
    const text = withLf(await repository.show(ref, former.fsPath));
    const notebook = isNotebook({ path }) ? files.redactor.notebookIn(text) : undefined;
    return { text: await files.redactor.decoded(text, path, uri), notebook };
  } catch (error) {
    // Git's message may name any file of the commit, closed ones too.
    if (NOT_THERE.test((error as Error).message)) return 'none';
    if (NO_TEXT.test((error as Error).message)) return 'bytes';
    if (error instanceof UserError) throw error;
    throw new UserError(`VS Code's Git could not read ${path} from ${nameOf(ref)}. Try again.`);
  }
}

async function present({ uri }: { uri: vscode.Uri }, { files }: Scope): Promise<Side> {
  try {
    const content = await files.read(await files.locateUri(uri.toString()));
    if (content.kind === 'folder')
      throw new UserError(`${files.displayPath(uri)} is a folder. Pass the path of a file.`);
    return content.kind === 'text' ? { text: withLf(content.text), notebook: content.notebook?.() } : 'bytes';
  } catch (error) {
    if (error instanceof NotFoundError) return 'none';
    throw error;
  }
}

/** A diff that replaces all lines. @param before undefined if the file is new. @param after undefined if it was deleted */
function wholeDiff(path: string, before: string | undefined, after: string | undefined): string {
  const nameOf = (text: string | undefined) => (text === undefined ? '/dev/null' : path);
  const linesOf = (text = '') => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  const [gone, come] = [linesOf(before), linesOf(after)];
  const rangeOf = ({ length }: readonly string[]) => `${length > 0 ? 1 : 0},${length}`;
  const head = [`--- ${nameOf(before)}`, `+++ ${nameOf(after)}`, `@@ -${rangeOf(gone)} +${rangeOf(come)} @@`];
  return [...head, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`), ''].join('\n');
}

/** The names of all branches, local ones first, as the agent may read them. @throws UserError */
export async function branchNames({ vscode, files }: Scope): Promise<string[]> {
  const names: string[] = [];
  for (const repository of await requireRepositories(vscode))
    for (const remote of [false, true])
      for (const { name } of await repository.getBranches({ remote })) if (name) names.push(name);
  return [...new Set(names)].map((name) => files.redactor.text(name));
}

/**
 * What differs in each repository from where it left a branch, or from the last commit.
 *
 * @param base a branch or a commit's hash
 * @throws UserError if no repository has it
 */
export async function changesSince(base: string | undefined, scope: Scope): Promise<Since[]> {
  const repositories = await requireRepositories(scope.vscode);
  if (base === undefined) return repositories.map((one) => ({ ref: 'HEAD', changes: changesOf(one) }));
  // It becomes an argument of Git, for which it might be an option.
  const known = await branchNames(scope);
  if (!known.includes(base) && !/^[\da-f]{4,40}$/i.test(base))
    throw new UserError(`There is no branch "${base}". Pass one of: ${known.slice(0, 20).join(', ')}.`);
  const found = await Promise.all(repositories.map((one) => since(base, one)));
  const all = found.filter((one) => one !== undefined);
  if (all.length === 0) throw new UserError(`Git finds no common commit with "${base}".`);
  return all;
}

/** Undefined if the repository does not have it. */
async function since(base: string, repository: Repository): Promise<Since | undefined> {
  const ref = await repository.getMergeBase(base, 'HEAD').catch(() => undefined);
  if (!ref) return undefined;
  const isNew = ({ status }: { status: number }) => STATUS[status] === 'untracked';
  return { ref, changes: [...(await repository.diffWith(ref)), ...changesOf(repository).filter(isNew)] };
}
