import type * as vscode from 'vscode';
import type { Location } from '../access/locate.ts';
import { notebookText } from '../core/notebook.ts';
import { withLf } from '../core/replacements.ts';
import { NotFoundError, UserError } from '../protocol/errors.ts';
import { unifiedDiff } from '../util/lineDiff.ts';
import type { Context } from './define.ts';
import { type Change, changesOf, type Repository, requireGit, STATUS } from './git.ts';
import { locateChanged, presentUri } from './sourceControl.ts';

/**
 * How the text of a file, as the editor has it, differs from the last commit, as a unified diff; empty where it does not.
 *
 * @throws UserError, NotFoundError
 */
export async function readDiff(path: string, ctx: Context): Promise<string> {
  const location = await locateChanged(path, ctx);
  const repository = (await requireGit(ctx.vscode)).getRepository(location.uri);
  if (!repository) throw new UserError(`${location.path} lies in no Git repository that VS Code has open.`);
  const now = await present(location, ctx);
  const [before, after] = readable(location, await committed(location, repository, ctx), now, ctx);
  if (after === undefined || after.includes('\0') || before.includes('\0'))
    return `Binary files a/${location.path} and b/${location.path} differ\n`;
  if (before === '' || after === '') return wholeDiff(location.path, before, after);
  if (before === after) return '';
  const diff = unifiedDiff(location.path, before, after);
  if (diff !== undefined) return diff;
  // Git is quick where two texts have little in common, but it knows nothing of what is not saved, nor of what is masked.
  if (ctx.files.isRedacting || isNotebook(location)) return bothWhole(location.path, before, after);
  return repository.diffWithHEAD(location.uri.fsPath);
}

const isNotebook = ({ path }: { path: string }): boolean => path.endsWith('.ipynb');

/** Notebooks as their cells, as they are read, with what is not saved of them. */
function readable(
  { uri, path }: Pick<Location, 'uri' | 'path'>,
  before: string,
  after: string | undefined,
  { files }: Context,
): [before: string, after: string | undefined] {
  if (!isNotebook({ path }) || after === undefined) return [before, after];
  const cells = [before && files.cellsIn(before), after && files.cells({ uri }, after)];
  const [former, now] = cells.map((one) => (one ? notebookText(one) : one));
  return former === undefined || now === undefined ? [before, after] : [former, now];
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
