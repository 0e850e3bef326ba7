import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Scope } from '../scope.ts';
import { type Change, changesOf, type Repository, requireGit, STATUS } from './gitApi.ts';
import { locateChanged, presentUri } from './sourceControl.ts';

/** What a file was, or is: its text, of a notebook its cells as well; nothing where it was not there, and bytes where it is no text. */
type Side = { text: string; notebook?: string | undefined } | 'none' | 'bytes';

/**
 * How the text of a file, as the editor has it, differs from the last commit, as a unified diff; empty where it does not.
 *
 * @throws UserError, NotFoundError
 */
export async function readDiff(path: string, ctx: Scope): Promise<string> {
  const named = await locateChanged(path, ctx);
  // Of a link Git holds where it leads, which is not what is read by its name.
  const location = { path: named.path, uri: named.targetUri ?? named.uri };
  const repository = (await requireGit(ctx.vscode)).getRepository(location.uri);
  if (!repository) throw new UserError(`${location.path} lies in no Git repository that VS Code has open.`);
  const now = await present(location, ctx);
  const then = await committed(location, repository, ctx);
  if (isBytes(then) || isBytes(now)) return `Binary files a/${location.path} and b/${location.path} differ\n`;
  const [before, after] = readable(location, then, now);
  if (before === after) return '';
  const diff = then === 'none' || now === 'none' ? undefined : unifiedDiff(location.path, before, after);
  return (
    diff ?? wholeDiff(location.path, then === 'none' ? undefined : before, now === 'none' ? undefined : after)
  );
}

const textOf = (side: Side): string => (typeof side === 'object' ? side.text : '');

/** Git holds the same for text. */
const isBytes = (side: Side): boolean => side === 'bytes' || textOf(side).includes('\0');

const isNotebook = ({ path }: { path: string }): boolean => path.endsWith('.ipynb');

/** Notebooks as their cells, as they are read, with what is not saved of them. */
function readable({ path }: { path: string }, then: Side, now: Side): [before: string, after: string] {
  const cellsOf = (side: Side) => (typeof side === 'object' ? side.notebook : '');
  const [before, after] = [cellsOf(then), cellsOf(now)];
  return isNotebook({ path }) && before !== undefined && after !== undefined
    ? [before, after]
    : [textOf(then), textOf(now)];
}

/** What VS Code's Git and Git itself say of a path that a commit has not: it is ignored, or too new to be known of. */
const NOT_THERE = /relative path not found|does not exist in|exists on disk, but not in/i;

/** What they say of what is no text. */
const NO_TEXT = /is binary/i;

async function committed(
  { uri, path }: Pick<Location, 'uri' | 'path'>,
  repository: Repository,
  { files }: Scope,
): Promise<Side> {
  const isIt = (change: Change) => presentUri(change).toString() === uri.toString();
  const own = changesOf(repository).filter(isIt);
  const isNew = own.some(({ status }) => /added$|untracked|intent to add/.test(STATUS[status] ?? ''));
  if (isNew || !repository.state.HEAD?.commit) return 'none';
  const former = own.find(({ originalUri }) => originalUri.toString() !== uri.toString())?.originalUri ?? uri;
  if (!files.mayTellOf(former))
    throw new UserError(`${path} was another file in the last commit, which is closed to agents.`);
  try {
    const text = withLf(await repository.show('HEAD', former.fsPath));
    const notebook = isNotebook({ path }) ? files.redactor.notebookIn(text) : undefined;
    return { text: await files.redactor.decoded(text, path, uri), notebook };
  } catch (error) {
    // What Git says of it may name all files of the commit, closed ones too.
    if (NOT_THERE.test((error as Error).message)) return 'none';
    if (NO_TEXT.test((error as Error).message)) return 'bytes';
    if (error instanceof UserError) throw error;
    throw new UserError(`VS Code's Git does not tell what ${path} was in the last commit.`);
  }
}

async function present({ uri }: { uri: vscode.Uri }, { files }: Scope): Promise<Side> {
  try {
    const content = await files.read(await files.locateUri(uri.toString()));
    if (content.kind === 'folder') throw new UserError(`${files.displayPath(uri)} is a folder: name a file.`);
    return content.kind === 'text' ? { text: withLf(content.text), notebook: content.notebook?.() } : 'bytes';
  } catch (error) {
    if (error instanceof NotFoundError) return 'none';
    throw error;
  }
}

/** All lines out, and all in. @param before undefined where the file was not there, as `after` where it has gone */
function wholeDiff(path: string, before: string | undefined, after: string | undefined): string {
  const nameOf = (text: string | undefined) => (text === undefined ? '/dev/null' : path);
  const linesOf = (text = '') => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  const [gone, come] = [linesOf(before), linesOf(after)];
  const rangeOf = ({ length }: readonly string[]) => `${length > 0 ? 1 : 0},${length}`;
  const head = [`--- ${nameOf(before)}`, `+++ ${nameOf(after)}`, `@@ -${rangeOf(gone)} +${rangeOf(come)} @@`];
  return [...head, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`), ''].join('\n');
}
