import * as vscode from 'vscode';
import { type AgentEdit, type Author, makerOf } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { changesText, filesText, oneLine } from '../messages.ts';
import type { RowLook } from '../treeItem.ts';
import type { AgentChange } from './agentChanges.ts';
import type { ChangedFiles, TurnOfAgent } from './changedFiles.ts';
import {
  authorsOf,
  type ChangedFile,
  isBytes,
  isUnseen,
  type Step,
  stepsOf,
  type Whose,
} from './histories.ts';

/** An edit of more files is a row of its own, such as that of a formatter. */
const MANY_FILES = 10;

/**
 * Rows of the view of agents: an agent's changed files, those of a turn or of an edit of many files, one of them, an edit of it.
 * Arguments of the commands.
 */
export type ReviewRow =
  | { kind: 'changes'; author: Author; files: readonly ChangedFile[]; turns: TurnOfAgent[]; isGone?: boolean }
  | {
      kind: 'group';
      author: Author;
      files: readonly ChangedFile[];
      whose: Whose;
      title: string;
      about: string;
    }
  | { kind: 'changedFile'; author: Author; file: ChangedFile; whose: Whose }
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
  const isKnown = ['changes', 'group', 'changedFile', 'agentEdit', 'mark'].includes(kind);
  return isKnown ? (place as ReviewRow | Mark) : undefined;
}

/** The row of an agent's changed files, if there are any. */
export function changesRow(changed: ChangedFiles, agent: number): ReviewRow[] {
  const files = changed.list(agent);
  const author = files[0] && stepsOf(files[0], { author: agent })[0]?.edit.author;
  return author ? [{ kind: 'changes', author, files, turns: changed.turns(agent) }] : [];
}

/** The rows of agents that are not connected any more, whose changes are left to review. */
export function goneRows(changed: ChangedFiles, connected: ReadonlySet<number>): ReviewRow[] {
  const authors = changed.list().flatMap(authorsOf);
  const gone = new Set(authors.map(({ id }) => id).filter((id) => !connected.has(id)));
  return [...gone].flatMap((id) => changesRow(changed, id)).map((row) => ({ ...row, isGone: true }));
}

/** Turns and edits newest first. */
export function reviewRowsIn(row: ReviewRow): ReviewRow[] {
  if (row.kind === 'agentEdit') return [];
  const { author } = row;
  if (row.kind === 'changes') {
    const turns = row.turns.map((turn) => turnRow(row.files, turn));
    const isOutside = ({ edit, isKeep }: Step) => !isKeep && edit.turn === undefined;
    const rest = row.files.filter((file) => stepsOf(file, { author: author.id }).some(isOutside));
    return [...turns, ...(turns.length > 0 ? rest : row.files).map((file) => fileRow(author, file))];
  }
  if (row.kind === 'group') return rowsInGroup(row);
  const steps = stepsOf(row.file, row.whose).filter(({ isKeep }) => !isKeep);
  const edits = new Set(steps.map(({ edit }) => edit));
  return [...edits].reverse().map((edit) => ({ kind: 'agentEdit', file: row.file, edit }));
}

type Group = ReviewRow & { kind: 'group' };

const fileRow = (author: Author, file: ChangedFile, whose: Whose = { author: author.id }): ReviewRow => ({
  kind: 'changedFile',
  author,
  file,
  whose,
});

const filesWith = (files: readonly ChangedFile[], whose: Whose): ChangedFile[] =>
  files.filter((file) => stepsOf(file, whose).length > 0);

export function turnRow(all: readonly ChangedFile[], turn: TurnOfAgent): Group {
  const { author, id, at, missed = 0 } = turn;
  const whose = { author: author.id, turn: id };
  const files = filesWith(all, whose);
  const more = missed > 0 ? [vscode.l10n.t('{0} not shown', filesText(missed))] : [];
  const about = [filesText(files.length), ...more, timeText(at)].join(' · ');
  return { kind: 'group', author, files, whose, title: turnTitle(turn), about };
}

/** The first words of the prompt; the time, if they are not known any more. */
export const turnTitle = ({ title, at }: TurnOfAgent): string =>
  title ? oneLine(title, 60) : vscode.l10n.t('Turn of {0}', timeText(at));

/** Edits of many files, and the files of the others. */
function rowsInGroup({ author, files, whose }: Group): ReviewRow[] {
  const edits = new Set(files.flatMap((file) => stepsOf(file, whose).map(({ edit }) => edit)));
  const groups = [...edits].flatMap((edit): Group[] => {
    const own = { author: author.id, edit: edit.id };
    const its = filesWith(files, own);
    const about = [filesText(its.length), timeText(edit.at)].join(' · ');
    const isOne = its.length > MANY_FILES && whose.edit === undefined;
    return isOne
      ? [{ kind: 'group', author, files: its, whose: own, title: oneLine(edit.tool, 60), about }]
      : [];
  });
  const isInNone = ({ edit, isKeep }: Step) =>
    !isKeep && !groups.some((group) => group.whose.edit === edit.id);
  const rest = files.filter((file) => stepsOf(file, whose).some(isInNone));
  return [...groups.reverse(), ...rest.map((file) => fileRow(author, file, whose))];
}

/** What became of a file, where its text is not all. */
function becameOf(file: ChangedFile): Partial<RowLook> {
  const { l10n } = vscode;
  if (isUnseen(file)) return { description: l10n.t('text before not known') };
  if (file.deleted) return { description: l10n.t('deleted'), icon: ['diff-removed'] };
  if (file.steps[0]?.before === undefined) return { description: l10n.t('new'), icon: ['diff-added'] };
  return isBytes(file) ? { description: l10n.t('no diff') } : {};
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
  if (row.kind === 'group') {
    const { author, whose, title: label, about: description } = row;
    const id = `group-${author.id}-${whose.turn ?? ''}-${whose.edit ?? ''}`;
    const icon = [whose.edit === undefined ? 'comment' : 'terminal'] as const;
    const command = 'reviewAgentChanges';
    return { id, label, description, icon, context, command, rows: 'closed' };
  }
  const { uri, path } = row.file;
  const command = 'reviewAgentChanges';
  if (row.kind === 'changedFile')
    return {
      id: `file-${row.author.id}-${row.whose.turn ?? ''}-${row.whose.edit ?? ''}-${uri}`,
      label: oneLine(path),
      icon: ['diff-modified'],
      ...becameOf(row.file),
      context,
      command,
      rows: 'closed',
    };
  const { id, tool, at, beside } = row.edit;
  const description = [beside && namedAgent(makerOf(row.edit)), timeText(at)].filter(Boolean).join(' · ');
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

export const sourceOf = (edit: AgentEdit): string =>
  `${namedAgent(makerOf(edit))}, ${oneLine(edit.tool, 60)}, ${timeText(edit.at)}`;

export const timeText = (at: number): string => new Date(at).toLocaleTimeString(vscode.env.language);

export function hoverOf({ kind, edit }: AgentChange): string {
  const { l10n } = vscode;
  const source = sourceOf(edit);
  if (kind === 'added') return l10n.t('Added by {0}', source);
  return kind === 'changed' ? l10n.t('Changed by {0}', source) : l10n.t('Lines above removed by {0}', source);
}
