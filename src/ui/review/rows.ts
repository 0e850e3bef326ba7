import * as vscode from 'vscode';
import type { AgentEdit, Author } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { changesText, filesText, oneLine } from '../messages.ts';
import type { RowLook } from '../treeItem.ts';
import type { AgentChange } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { authorsOf, type ChangedFile, stepsOf } from './histories.ts';

/** Rows of the view of agents: an agent's changed files, one of them, an edit of it. Arguments of the commands. */
export type ReviewRow =
  | { kind: 'changes'; author: Author; files: readonly ChangedFile[]; isGone?: boolean }
  | { kind: 'changedFile'; author: Author; file: ChangedFile }
  | { kind: 'agentEdit'; file: ChangedFile; edit: AgentEdit };

/** A mark in an editor; the line is 0-based. */
export interface Mark {
  kind: 'mark';
  uri: string;
  line: number;
}

/** The row or mark whose action was clicked; undefined if a command was called from elsewhere. */
export function reviewPlace(place: unknown): ReviewRow | Mark | undefined {
  const { kind = '' } = (place ?? {}) as Partial<ReviewRow | Mark>;
  const isKnown = ['changes', 'changedFile', 'agentEdit', 'mark'].includes(kind);
  return isKnown ? (place as ReviewRow | Mark) : undefined;
}

/** The row of an agent's changed files, if there are any. */
export function changesRow(changed: ChangedFiles, agent: number): ReviewRow[] {
  const files = changed.list(agent);
  const author = files[0] && stepsOf(files[0], agent)[0]?.edit.author;
  return author ? [{ kind: 'changes', author, files }] : [];
}

/** The rows of agents that are not connected any more, whose changes are left to review. */
export function goneRows(changed: ChangedFiles, connected: ReadonlySet<number>): ReviewRow[] {
  const authors = changed.list().flatMap(authorsOf);
  const gone = new Set(authors.map(({ id }) => id).filter((id) => !connected.has(id)));
  return [...gone].flatMap((id) => changesRow(changed, id)).map((row) => ({ ...row, isGone: true }));
}

/** Edits newest first. */
export function reviewRowsIn(row: ReviewRow): ReviewRow[] {
  if (row.kind === 'agentEdit') return [];
  const { author } = row;
  if (row.kind === 'changes') return row.files.map((file) => ({ kind: 'changedFile', author, file }));
  const steps = stepsOf(row.file, author.id).filter(({ isKeep }) => !isKeep);
  const edits = new Set(steps.map(({ edit }) => edit));
  return [...edits].reverse().map((edit) => ({ kind: 'agentEdit', file: row.file, edit }));
}

/** A click opens the diff. */
export function reviewLook(row: ReviewRow): RowLook {
  const { l10n } = vscode;
  const context = row.kind;
  if (row.kind === 'changes') {
    const { author, files } = row;
    const label = row.isGone
      ? l10n.t('Changed by {0} ({1})', namedAgent(author), files.length)
      : l10n.t('Changed files ({0})', files.length);
    return { id: `changes-${author.id}`, label, icon: ['diff-multiple'], context, rows: 'closed' };
  }
  const { uri, path, deleted } = row.file;
  const command = 'reviewAgentChanges';
  if (row.kind === 'changedFile')
    return {
      id: `file-${row.author.id}-${uri}`,
      label: oneLine(path),
      icon: [deleted ? 'diff-removed' : 'diff-modified'],
      ...(deleted && { description: l10n.t('deleted') }),
      context,
      command,
      rows: 'closed',
    };
  const { id, tool, at } = row.edit;
  const description = timeText(at);
  return { id: `edit-${id}-${uri}`, label: oneLine(tool, 60), description, icon: ['edit'], context, command };
}

/** Texts of the review. Names of agents and tools are made safe to show. */
export const countText = (changes: number, files: number): string =>
  vscode.l10n.t('{0} in {1}', changesText(changes), filesText(files));

/** @param author undefined for all agents */
export const reviewTitle = (author?: Author): string =>
  author ? vscode.l10n.t('Changes of {0}', namedAgent(author)) : vscode.l10n.t('Changes of agents');

/** @param from and `to` are 1-based */
export const linesText = (from: number, to: number): string =>
  from === to ? vscode.l10n.t('line {0}', from) : vscode.l10n.t('lines {0}–{1}', from, to);

export const sourceOf = ({ author, tool, at }: AgentEdit): string =>
  `${namedAgent(author)}, ${oneLine(tool, 60)}, ${timeText(at)}`;

export const timeText = (at: number): string => new Date(at).toLocaleTimeString(vscode.env.language);

export function hoverOf({ kind, edit }: AgentChange): string {
  const { l10n } = vscode;
  const source = sourceOf(edit);
  if (kind === 'added') return l10n.t('Added by {0}', source);
  return kind === 'changed' ? l10n.t('Changed by {0}', source) : l10n.t('Lines above removed by {0}', source);
}
