import * as vscode from 'vscode';
import type { AgentEdit, Author } from '../../workspace/edit/journal.ts';
import { oneLine } from '../untrustedText.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { type ChangedFile, stepsOf } from './histories.ts';

/** Rows of the view of agents: an agent's changed files, one of them, an edit of it. Arguments of the commands. */
export type ReviewRow =
  | { kind: 'changes'; author: Author; files: readonly ChangedFile[] }
  | { kind: 'changedFile'; author: Author; file: ChangedFile }
  | { kind: 'agentEdit'; file: ChangedFile; edit: AgentEdit };

/** The row whose action was clicked; undefined if a command was called from elsewhere. */
export function reviewRow(place: unknown): ReviewRow | undefined {
  const { kind = '' } = (place ?? {}) as Partial<ReviewRow>;
  return ['changes', 'changedFile', 'agentEdit'].includes(kind) ? (place as ReviewRow) : undefined;
}

/** The row of an agent's changed files, if there are any. */
export function changesRow(changed: ChangedFiles, agent: number): ReviewRow[] {
  const files = changed.list(agent);
  const author = files[0] && stepsOf(files[0], agent)[0]?.edit.author;
  return author ? [{ kind: 'changes', author, files }] : [];
}

/** Edits newest first. */
export function reviewRowsIn(row: ReviewRow): ReviewRow[] {
  if (row.kind === 'agentEdit') return [];
  const { author } = row;
  if (row.kind === 'changes') return row.files.map((file) => ({ kind: 'changedFile', author, file }));
  const edits = new Set(stepsOf(row.file, author.id).map(({ edit }) => edit));
  return [...edits].reverse().map((edit) => ({ kind: 'agentEdit', file: row.file, edit }));
}

/** A click opens the diff. */
export function reviewItemOf(row: ReviewRow): vscode.TreeItem {
  const item = rowItem(row);
  item.contextValue = row.kind;
  const command = 'workspaceMcp.reviewAgentChanges';
  if (row.kind !== 'changes') item.command = { command, title: vscode.l10n.t('Open Diff'), arguments: [row] };
  return item;
}

function rowItem(row: ReviewRow): vscode.TreeItem {
  const { l10n, TreeItem, TreeItemCollapsibleState, ThemeIcon } = vscode;
  if (row.kind === 'changes') {
    const label = l10n.t('Changed files ({0})', row.files.length);
    const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
    item.id = `changes-${row.author.id}`;
    item.iconPath = new ThemeIcon('diff-multiple');
    return item;
  }
  const { uri, path, deleted } = row.file;
  if (row.kind === 'changedFile') {
    const item = new TreeItem(oneLine(path), TreeItemCollapsibleState.Collapsed);
    item.id = `file-${row.author.id}-${uri}`;
    item.iconPath = new ThemeIcon(deleted ? 'diff-removed' : 'diff-modified');
    if (deleted) item.description = l10n.t('deleted');
    return item;
  }
  const item = new TreeItem(oneLine(row.edit.tool, 60));
  item.id = `edit-${row.edit.id}-${uri}`;
  item.description = new Date(row.edit.at).toLocaleTimeString(vscode.env.language);
  item.iconPath = new ThemeIcon('edit');
  return item;
}
