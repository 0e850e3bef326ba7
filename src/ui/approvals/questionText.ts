import * as vscode from 'vscode';
import type { Guard } from '../../access/accessRules.ts';
import type { FileChange } from '../../access/consent/changes.ts';
import type {
  ApprovalRequest,
  Asked,
  FileDiff,
  FileOperation,
  Intent,
  Question,
} from '../../access/consent/types.ts';
import type { NamedAgent } from '../../core/connectedAgent.ts';
import { plainMarkdown } from '../../core/text/markdown.ts';
import { oneLine, quoted } from '../messages.ts';

const { l10n } = vscode;

/** The name of the agent, with its number if several agents have that name. */
export const namedAgent = ({ agent, number }: NamedAgent): string =>
  `${quoted(agent, 40)}${number === undefined ? '' : ` #${number}`}`;

/** A question in one line. */
export function questionTitle(question: Question | Asked): string {
  const agent = namedAgent(question);
  if (isInquiry(question)) return l10n.t('{0} asks: {1}', agent, messageText(question, 60));
  return l10n.t('{0} asks: {1} ({2})', agent, plannedText(question), oneLine(question.tool, 60));
}

/** What a question says, in one line. @param most characters */
export const messageText = ({ message }: Asked, most?: number): string =>
  quoted(inOneLine(plainMarkdown(message)), most);

export const inOneLine = (message: string): string => message.replaceAll(/\s+/g, ' ');

/** Whether it is a question whose answer allows nothing. */
export const isInquiry = (question: Question | Asked): question is Asked => 'message' in question;

export function changeSizeText(changes: readonly FileChange[]): string {
  const sum = (of: 'added' | 'removed' | 'onlyWhite') => changes.reduce((all, one) => all + one[of], 0);
  const white = sum('onlyWhite');
  return [
    ...(changes.length > 1 ? [l10n.t('{0} files', changes.length)] : []),
    l10n.t('lines: +{0} −{1}', sum('added'), sum('removed')),
    ...(white > 0 ? [l10n.t('{0} of them only white space', white)] : []),
  ].join(' · ');
}

type Planned = Pick<ApprovalRequest, 'kind' | 'subject' | 'intent' | 'diffs' | 'server'>;

/**
 * The planned action in one line: what it is for, else what happens to the file, or how many files.
 *
 * @param most characters of each name
 */
export function plannedText({ kind, subject, intent, diffs = [], server }: Planned, most?: number): string {
  const [first] = diffs;
  const what = quoted(subject, most) + linkOf(first, most);
  if (intent)
    return intentText(intent, diffs, diffs.length > 1 ? l10n.t('{0} files', diffs.length) : what, most);
  if (kind === 'command') return l10n.t('Run VS Code command {0}', what);
  if (kind === 'server') return l10n.t('Call {0} of {1}', what, quoted(server?.name ?? '', most));
  if (diffs.length > 1) return severalText(diffs, most);
  if (first?.operation) return fileName(first, most);
  if (kind === 'edit') return l10n.t('Edit {0}', what);
  if (kind === 'debug') return l10n.t('Debug {0}', what);
  return kind === 'delete' ? l10n.t('Delete {0}', what) : l10n.t('Run {0}', what);
}

/** @param where the file, or how many files */
function intentText(intent: Intent, diffs: readonly FileDiff[], where: string, most?: number): string {
  const { type } = intent;
  if (type === 'rename')
    return l10n.t('Rename {0} to {1} in {2}', quoted(intent.from, most), quoted(intent.to, most), where);
  if (type === 'replace') return l10n.t('Replace {0} in {1}', quoted(intent.query, most), where);
  if (type === 'type') return typedText(intent, where, most);
  if (type === 'action') return actionText(intent, diffs.length > 1 ? ` (${where})` : '');
  if (type === 'undo')
    return l10n.t('Take back edit {0} ({1}): {2}', intent.id, oneLine(intent.tool, 40), where);
  return {
    patch: l10n.t('Apply patch: {0}', diffs.length > 1 ? countsOf(diffs) : where),
    format: l10n.t('Format {0}', where),
    save: l10n.t('Save {0}', where),
    task: l10n.t('Run task {0}', where),
    tests: l10n.t('Run tests: {0}', where),
    cells: l10n.t('Run cells of {0}', where),
    evaluate: l10n.t('Evaluate in {0}', where),
    breakpoint: l10n.t('Set breakpoint: {0}', where),
    exceptions: l10n.t('Stop at exceptions: {0}', where),
    restart: l10n.t('Restart in the debugger: {0}', where),
    control: l10n.t('Control the debug session {0}', where),
  }[type];
}

/** Enter is not named, because it ends each line. */
function typedText({ typed, key }: Intent & { type: 'type' }, where: string, most?: number): string {
  if (typed === '') return l10n.t('Press {0} in {1}', key, where);
  const what = quoted(typed, most) + (key === 'enter' ? '' : ` ${key}`);
  return l10n.t('Type {0} into {1}', what, where);
}

function actionText({ kind, title }: Intent & { type: 'action' }, more: string): string {
  const what = oneLine(title, 100) + more;
  if (kind.startsWith('quickfix')) return l10n.t('Quick fix: {0}', what);
  return kind.startsWith('refactor') ? l10n.t('Refactor: {0}', what) : l10n.t('Code action: {0}', what);
}

function severalText(diffs: readonly FileDiff[], most?: number): string {
  const [one, ...others] = diffs.filter(({ operation }) => operation);
  if (!one) return l10n.t('Change {0} files', diffs.length);
  if (others.length > 0) return l10n.t('Change {0} files: {1}', diffs.length, countsOf(diffs));
  return `${fileName(one, most)}, ${l10n.t('{0} edited', diffs.length - 1)}`;
}

/** As in "2 edited, 1 created". */
function countsOf(diffs: readonly FileDiff[]): string {
  const count = (...types: (FileOperation['type'] | undefined)[]) =>
    diffs.filter(({ operation }) => types.includes(operation?.type)).length;
  const edits = count(undefined);
  const creates = count('create', 'create_folder');
  const [moves, copies, deletes] = [count('move'), count('copy'), count('delete')];
  return [
    edits > 0 && l10n.t('{0} edited', edits),
    creates > 0 && l10n.t('{0} created', creates),
    moves > 0 && l10n.t('{0} moved', moves),
    copies > 0 && l10n.t('{0} copied', copies),
    deletes > 0 && l10n.t('{0} deleted', deletes),
  ]
    .filter(Boolean)
    .join(', ');
}

/** One of the files that would change, and what happens to it as a whole. */
export function fileName(diff: FileDiff, most?: number): string {
  const { operation } = diff;
  const name = quoted(diff.path, most) + linkOf(diff, most);
  const to = quoted(operation?.to ?? '', most);
  const texts: Record<FileOperation['type'], string> = {
    create: l10n.t('Create {0}', name),
    create_folder: l10n.t('Create folder {0}', name),
    move: l10n.t('Move {0} to {1}', name, to),
    copy: l10n.t('Copy {0} to {1}', name, to),
    delete: l10n.t('Delete {0}', name),
  };
  return operation ? texts[operation.type] : name;
}

const linkOf = (diff: FileDiff | undefined, most?: number): string =>
  diff?.target === undefined ? '' : ` → ${quoted(diff.target, most)}`;

/** Why the user is asked about each edit of a file. @param levels of the setting that guards it, if known */
export function guardText({ guarded, name }: Guard, levels?: string): string {
  const by = name === undefined ? '' : ` ${l10n.t('It is the same file as {0}.', quoted(name, 80))}`;
  if (guarded.by === 'server') {
    const server = quoted(guarded.server, 60);
    return l10n.t('You are asked each time: the MCP server {0} runs or reads this file.', server) + by;
  }
  if (guarded.by === 'links')
    return l10n.t('You are asked each time: there are too many links to know all names of this file.');
  if (guarded.by !== 'guardedPaths') {
    const why = guarded.by === 'table' ? l10n.t(guarded.reason) : l10n.t('data of the editor');
    return l10n.t('You are asked each time: {0}.', why) + by;
  }
  const glob = quoted(guarded.glob);
  const text =
    levels === undefined
      ? l10n.t('You are asked each time because of {0} in {1}.', glob, guarded.by)
      : l10n.t('You are asked each time because of {0} in {1} ({2}).', glob, guarded.by, levels);
  return text + by;
}
