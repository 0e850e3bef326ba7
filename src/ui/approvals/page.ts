import * as vscode from 'vscode';
import type { FileChange } from '../../access/consent/changes.ts';
import type { FileDiff, Opened, Question } from '../../access/consent/types.ts';
import { jsonText, MOST_LEVELS } from '../../core/text/jsonText.ts';
import { guardText } from '../guardText.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { buttonsOf } from './choices.ts';
import { changesText, deedOf, fileName, namedAgent } from './kinds.ts';

/** Most characters of a command line, or of arguments. */
const MOST_DETAIL = 20_000;

/** Most line numbers in a warning. */
const MOST_LINES = 5;

/** The data for media/question/question.js, which inserts all of it as text, never as HTML. */
export type Page = ReturnType<typeof pageOf> & { replies?: Replies };

/** How an agent's own question can be answered. */
export interface Replies {
  choices: string[];
  freeText: boolean;
  placeholder: string;
  send: string;
  dismiss: string;
}

/** The page of a question. */
export function pageOf(question: Question) {
  const { l10n } = vscode;
  const { id, agent, directory, tool, askedAt, diffs = [], changes = [] } = question;
  const [asker, name] = [namedAgent(question), oneLine(tool, 60)];
  return {
    id,
    title: l10n.t('{0} asks: {1}', quoted(agent, 25), deedOf(question, 45)),
    heading: deedOf(question),
    from: directory
      ? l10n.t('{0} asks, in {1} ({2})', asker, oneLine(directory), name)
      : l10n.t('{0} asks ({1})', asker, name),
    facts: changes.some(({ lines }) => lines.length > 0) ? changesText(changes) : '',
    detail: detailsOf(question),
    warnings: warningsOf(question),
    ends: l10n.t('If you do not answer by {0}, it is denied.', timeOf(question)),
    more: moreOf(question),
    age: Date.now() - askedAt,
    choices: buttonsOf(question),
    files: changes.map((change, index) => ({
      name: diffs[index] ? fileName(diffs[index]) : '',
      counts: changes.length > 1 ? changesText([change]) : '',
      lines: change.lines,
    })),
    texts: textsOf(),
  };
}

/** Texts that the page fills in. */
export function textsOf() {
  const { l10n } = vscode;
  return {
    waited: l10n.t('The agent has been waiting for {0}:{1} min.', '{0}', '{1}'),
    noNewline: l10n.t('no newline'),
    changesBelow: l10n.t('Changed lines below: {0}', '{0}'),
    below: l10n.t('There is more below'),
  };
}

/** When a question ends, as a time of day. */
export const timeOf = ({ endsAt }: Opened): string =>
  new Date(endsAt).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });

/** How many more questions are waiting, as text; empty if none. */
export function moreOf(question: Opened): string {
  const others = question.waiting();
  return others > 0 ? vscode.l10n.t('{0} more waiting.', others) : '';
}

/** The command line and arguments that would run. */
const detailsOf = ({ commandLine, arguments: args }: Question): string[] => [
  ...(commandLine === undefined ? [] : [oneLine(commandLine, MOST_DETAIL)]),
  ...(args === undefined ? [] : [oneLine(jsonText(args), MOST_DETAIL)]),
];

function warningsOf(question: Question): string[] {
  const { l10n } = vscode;
  const { again, diffs = [], changes = [], commandLine = '', arguments: args = {} } = question;
  const json = jsonText(args);
  const isDeep = json !== jsonText(args, MOST_LEVELS + 1);
  const isLong = commandLine.length > MOST_DETAIL || json.length > MOST_DETAIL || isDeep;
  return [
    ...(again ? [l10n.t('The file has changed since you were asked.')] : []),
    ...diffs.flatMap((diff, index) => {
      const name = diffs.length > 1 ? `${fileName(diff)}: ` : '';
      return warningsOfFile(diff, changes[index]).map((warning) => name + warning);
    }),
    ...(isLong ? [l10n.t('It is too long to show here in full.')] : []),
    ...(changes.some(({ isCut }) => isCut)
      ? [l10n.t('The change is too long to show here. "Open Diff" shows all of it.')]
      : []),
  ];
}

function warningsOfFile(
  { guard, isMixed, operation }: FileDiff,
  { hidden, long }: Pick<FileChange, 'hidden' | 'long'> = { hidden: [], long: [] },
): string[] {
  const { l10n } = vscode;
  const place = (lines: number[]) =>
    lines.slice(0, MOST_LINES).join(', ') + (lines.length > MOST_LINES ? ', …' : '');
  return [
    ...(operation?.files === undefined ? [] : [l10n.t('Files in the folder: {0}', operation.files)]),
    ...(operation?.unkept
      ? [l10n.t('It is too large to keep, or has links: the agent cannot take it back.')]
      : []),
    ...(operation?.forGood ? [l10n.t('It is deleted for good: there is no trash here.')] : []),
    ...(guard ? [guardText(guard)] : []),
    ...(isMixed ? [l10n.t('It has mixed line ends: saving makes them all the same.')] : []),
    ...(hidden.length > 0
      ? [l10n.t('Invisible characters, shown as red codes. Lines: {0}', place(hidden))]
      : []),
    ...(long.length > 0 ? [l10n.t('Long lines, or text far to the right. Lines: {0}', place(long))] : []),
  ];
}
