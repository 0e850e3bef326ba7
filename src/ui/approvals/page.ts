import * as vscode from 'vscode';
import type { FileChange } from '../../access/consent/changes.ts';
import type { FileDiff, Question } from '../../access/consent/types.ts';
import { jsonText, MOST_LEVELS } from '../../core/text/jsonText.ts';
import { guardText } from '../guardText.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { buttonsOf } from './choices.ts';
import { changesText, deedOf, fileName, namedAgent } from './kinds.ts';

/** Characters of a command line, or of arguments. */
const MOST_DETAIL = 20_000;

/** So many lines are named in a warning. */
const MOST_LINES = 5;

/** What media/question/question.js shows; it makes no HTML of any of it. */
export type Page = ReturnType<typeof pageOf>;

/** A question as its page shows it. */
export function pageOf(question: Question) {
  const { l10n, env } = vscode;
  const { id, agent, directory, tool, askedAt, endsAt, diffs = [], changes = [] } = question;
  const [asker, name] = [namedAgent(question), oneLine(tool, 60)];
  const time = new Date(endsAt).toLocaleTimeString(env.language, { hour: '2-digit', minute: '2-digit' });
  return {
    id,
    title: l10n.t('{0} asks: {1}', quoted(agent, 25), deedOf(question, 45)),
    heading: deedOf(question),
    from: directory
      ? l10n.t('{0} asks, in {1} ({2})', asker, oneLine(directory), name)
      : l10n.t('{0} asks ({1})', asker, name),
    facts: changes.length > 0 ? changesText(changes) : '',
    detail: detailsOf(question),
    warnings: warningsOf(question),
    ends: l10n.t('No answer until {0} denies it.', time),
    more: moreOf(question),
    age: Date.now() - askedAt,
    choices: buttonsOf(question),
    files: changes.map((change, index) => ({
      name: diffs[index] ? fileName(diffs[index]) : '',
      counts: changes.length > 1 ? changesText([change]) : '',
      lines: change.lines,
    })),
    texts: {
      waited: l10n.t('The agent has been waiting for {0}:{1} min.', '{0}', '{1}'), // the page counts
      noNewline: l10n.t('no newline'),
      changesBelow: l10n.t('Changed lines below: {0}', '{0}'),
      below: l10n.t('There is more below'),
    },
  };
}

/** How many wait behind it, in words; empty if none does. */
export function moreOf(question: Question): string {
  const others = question.waiting();
  return others > 0 ? vscode.l10n.t('{0} more waiting.', others) : '';
}

/** What would run. */
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
    ...(again ? [l10n.t('The text has changed since you were asked.')] : []),
    ...diffs.flatMap((diff, index) => {
      const name = diffs.length > 1 ? `${fileName(diff)}: ` : '';
      return warningsOfFile(diff, changes[index]).map((warning) => name + warning);
    }),
    ...(isLong ? [l10n.t('Not all of it is shown here.')] : []),
    ...(changes.some(({ isCut }) => isCut)
      ? [l10n.t('The change is too long to be shown here. "Open Diff" shows all of it.')]
      : []),
  ];
}

function warningsOfFile(
  { guard, isMixed }: FileDiff,
  { hidden, long }: Pick<FileChange, 'hidden' | 'long'> = { hidden: [], long: [] },
): string[] {
  const { l10n } = vscode;
  const place = (lines: number[]) =>
    lines.slice(0, MOST_LINES).join(', ') + (lines.length > MOST_LINES ? ', …' : '');
  return [
    ...(guard ? [guardText(guard)] : []),
    ...(isMixed ? [l10n.t('Its lines do not all end alike: saving gives all of them the same end.')] : []),
    ...(hidden.length > 0
      ? [l10n.t('Characters that do not show, spelled out in red. Lines: {0}', place(hidden))]
      : []),
    ...(long.length > 0 ? [l10n.t('Long lines, or text far to the right. Lines: {0}', place(long))] : []),
  ];
}
