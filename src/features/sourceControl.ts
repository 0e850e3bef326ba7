import type * as vscode from 'vscode';
import type { Location } from '../access/locate.ts';
import { withLf } from '../core/replacements.ts';
import { NotFoundError, UserError } from '../protocol/errors.ts';
import { unifiedDiff } from '../util/lineDiff.ts';
import type { Context } from './define.ts';
import { type Change, changesOf, type Repository, requireGit, requireRepositories, STATUS } from './git.ts';

/** Most changed files of one repository. */
const MOST = 1_000;

interface ChangedFile {
  path: string;
  status: string;
  /** Of a renamed file. */
  from?: string;
}

export interface RepositoryChanges {
  /** Where the agent may know of it. */
  root?: string;
  branch?: string;
  commit?: string;
  ahead?: number;
  behind?: number;
  changes: ChangedFile[];
  leftOut?: number;
}

/** What is changed in the repositories of the window, as the source control view shows it. @throws UserError */
export async function readChanges(ctx: Context): Promise<{ repositories: RepositoryChanges[] }> {
  const repositories = await requireRepositories(ctx.vscode);
  const read = await Promise.all(repositories.map((repository) => changesIn(repository, ctx)));
  return { repositories: read.filter((one) => one !== undefined) };
}

/** Undefined where the agent may know of nothing in it. */
async function changesIn(repository: Repository, ctx: Context): Promise<RepositoryChanges | undefined> {
  const { HEAD } = repository.state;
  const root = await ctx.files.permitted(repository.rootUri);
  const shown = await Promise.all(changesOf(repository).map((change) => changedFile(change, ctx)));
  const changes = shown.filter((one) => one !== undefined);
  if (!root && changes.length === 0) return undefined;
  const { name, commit, ahead, behind } = HEAD ?? {};
  return {
    ...(root && { root: root.path }),
    ...(name && { branch: ctx.files.masked(name) }),
    ...(commit && { commit }),
    ...(ahead && { ahead }),
    ...(behind && { behind }),
    changes: changes.slice(0, MOST),
    ...(changes.length > MOST && { leftOut: changes.length - MOST }),
  };
}

/** The file as it is called now. */
const presentUri = ({ uri, renameUri }: Change): vscode.Uri => renameUri ?? uri;

async function changedFile(change: Change, { files }: Context): Promise<ChangedFile | undefined> {
  const uri = presentUri(change);
  // One that has gone is judged by its name.
  const location = await files.locateUri(uri.toString()).catch((error) => {
    if (error instanceof NotFoundError && files.mayTellOf(uri)) return { path: files.displayPath(uri) };
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (!location) return undefined;
  const { originalUri } = change;
  const isRenamed = originalUri.toString() !== uri.toString() && files.mayTellOf(originalUri);
  return {
    path: location.path,
    status: STATUS[change.status] ?? 'changed',
    ...(isRenamed && { from: files.displayPath(originalUri) }),
  };
}

/** A changed file by its path, also one that is deleted. @throws UserError, NotFoundError */
export async function locateChanged(path: string, ctx: Context): Promise<{ uri: vscode.Uri; path: string }> {
  try {
    return await ctx.files.locate(path);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { repositories } = await requireGit(ctx.vscode);
    for (const { uri } of repositories.flatMap(changesOf)) {
      if (ctx.files.displayPath(uri) === path && ctx.files.mayTellOf(uri)) return { uri, path };
    }
    throw error;
  }
}

/**
 * How the text of a file, as the editor has it, differs from the last commit, as a unified diff; empty where it does not.
 *
 * @throws UserError, NotFoundError
 */
export async function readDiff(path: string, ctx: Context): Promise<string> {
  const location = await locateChanged(path, ctx);
  const repository = (await requireGit(ctx.vscode)).getRepository(location.uri);
  if (!repository) throw new UserError(`${location.path} lies in no Git repository that VS Code has open.`);
  const before = await committed(location, repository, ctx);
  const after = await present(location, ctx);
  if (before === undefined || after === undefined || after.includes('\0') || before.includes('\0'))
    return `Binary files a/${location.path} and b/${location.path} differ\n`;
  if (before === '' || after === '') return wholeDiff(location.path, before, after);
  if (before === after) return '';
  const diff = unifiedDiff(location.path, before, after);
  if (diff !== undefined) return diff;
  // Git is quick where two texts have little in common, but it knows nothing of what is not saved, nor of what is masked.
  if (ctx.files.isRedacting) return bothWhole(location.path, before, after);
  return repository.diffWithHEAD(location.uri.fsPath);
}

/** What VS Code's Git and Git itself say of a path that a commit has not: it is ignored, or too new to be known of. */
const NOT_THERE = /relative path not found|does not exist in|exists on disk, but not in/i;

/** '' of a file that is new. */
async function committed(
  { uri, path }: Pick<Location, 'uri' | 'path'>,
  repository: Repository,
  { files }: Context,
): Promise<string> {
  const isIt = (change: Change) => presentUri(change).toString() === uri.toString();
  const own = changesOf(repository).filter(isIt);
  const isNew = own.some(({ status }) => /added$|untracked|intent to add/.test(STATUS[status] ?? ''));
  if (isNew || !repository.state.HEAD?.commit) return '';
  const former = own.find(({ originalUri }) => originalUri.toString() !== uri.toString())?.originalUri ?? uri;
  if (!files.mayTellOf(former))
    throw new UserError(`${path} was another file in the last commit, which is closed to agents.`);
  try {
    return files.masked(withLf(await repository.show('HEAD', former.fsPath)));
  } catch (error) {
    // What Git says of it may name all files of the commit, closed ones too.
    if (NOT_THERE.test((error as Error).message)) return '';
    throw new UserError(`VS Code's Git does not tell what ${path} was in the last commit.`);
  }
}

/** '' of a file that has gone; undefined of one that is no text. */
async function present({ uri }: { uri: vscode.Uri }, { files }: Context): Promise<string | undefined> {
  try {
    const content = await files.read(await files.locateUri(uri.toString()));
    if (content.kind === 'folder') throw new UserError(`${files.displayPath(uri)} is a folder: name a file.`);
    return content.kind === 'text' ? withLf(content.text) : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return '';
    throw error;
  }
}

/** All lines out, and all in. */
function bothWhole(path: string, before: string, after: string): string {
  const [gone, come] = [before, after].map((text) => text.replace(/\n$/, '').split('\n'));
  const marked = (mark: string, lines: readonly string[] = []) => lines.map((line) => mark + line);
  const range = `@@ -1,${gone?.length} +1,${come?.length} @@`;
  return [`--- ${path}`, `+++ ${path}`, range, ...marked('-', gone), ...marked('+', come), ''].join('\n');
}

/** Of a file that came or went. */
function wholeDiff(path: string, before: string, after: string): string {
  const isNew = before === '';
  const lines = (before || after).replace(/\n$/, '').split('\n');
  if (before === after) return '';
  const range = isNew ? `@@ -0,0 +1,${lines.length} @@` : `@@ -1,${lines.length} +0,0 @@`;
  const [from, to] = isNew ? ['/dev/null', path] : [path, '/dev/null'];
  const mark = isNew ? '+' : '-';
  return [`--- ${from}`, `+++ ${to}`, range, ...lines.map((line) => mark + line), ''].join('\n');
}
