import * as vscode from 'vscode';
import type { FileChange } from '../../access/consent/changes.ts';
import type { FileDiff, Opened, Question } from '../../access/consent/types.ts';
import { commandOf } from '../../core/grants.ts';
import { jsonText, MOST_LEVELS } from '../../core/json.ts';
import { cutText } from '../../core/text/cut.ts';
import { allVisible, allVisibleText } from '../../core/text/visible.ts';
import type { FormEntry } from '../../hosting/index.ts';
import { oneLine, quoted } from '../messages.ts';
import { buttonsOf, isOfSession, sessionText } from './choices.ts';
import { allowedLabel, grantLabel } from './grantText.ts';
import { changeSizeText, fileName, guardText, namedAgent, plannedText } from './questionText.ts';

const { l10n } = vscode;

/** Most characters of a command line, or of arguments. */
const MOST_DETAIL = 20_000;

/** Most characters of what a server says of its tool. */
const MOST_SAID = 600;

/** Most characters of a path where there is room for it. */
const LONGEST_NAME = 400;

/** Most line numbers in a warning. */
const MOST_LINES = 5;

/** The data for media/question/question.js, which inserts all of it as text, never as HTML. */
export type Page = ReturnType<typeof pageOf> & { replies?: Replies; form?: Form; notes?: readonly Note[] };

export interface Replies {
  choices: string[];
  freeText: boolean;
  placeholder: string;
  send: string;
  dismiss: string;
}

/** Fields and buttons, for media/question/form.js. */
export interface Form {
  fields: readonly ShownField[];
  /** The first is the main one. One that refuses works before the question was read. */
  buttons: readonly { label: string; tip?: string; refuses?: boolean }[];
  /** After the label of a required field. */
  required: string;
  /** What a list shows while nothing is chosen, if it may stay so, and if not. */
  none: string;
  choose: string;
}

export interface ShownField {
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  label: string;
  description: string;
  isRequired: boolean;
  /** Several lines. */
  isLong: boolean;
  placeholder: string;
  options: readonly string[];
  /** What it has at first. */
  entry: FormEntry;
}

/** What to say about a field; empty if nothing. */
export interface Note {
  problem: string;
  warning: string;
}

/** What is in the fields, and the index of the clicked button; without one, the user is still typing. */
export interface FormReply {
  entries: readonly unknown[];
  button?: number;
}

export function pageOf(question: Question) {
  const { id, agent, directory, tool, askedAt, diffs = [], changes = [] } = question;
  const [asker, name] = [namedAgent(question), oneLine(tool, 60)];
  return {
    id,
    title: l10n.t('{0} asks: {1}', quoted(agent, 25), plannedText(question, 45)),
    heading: plannedText(question, LONGEST_NAME),
    from: directory
      ? l10n.t('{0} asks, in {1} ({2})', asker, oneLine(directory), name)
      : l10n.t('{0} asks ({1})', asker, name),
    facts: changes.some(({ lines }) => lines.length > 0) ? changeSizeText(changes) : '',
    why: whyOf(question),
    covers: coversOf(question),
    detail: question.commandLine === undefined ? [] : [linesOf(question.commandLine)],
    said: saidOf(question),
    given: givenOf(question),
    warnings: warningsOf(question),
    ends: question.isOwn
      ? l10n.t('If you close this tab, or do not answer by {0}, the agent asks you itself.', timeOf(question))
      : l10n.t('If you do not answer by {0}, it is denied.', timeOf(question)),
    more: moreOf(question),
    age: Date.now() - askedAt,
    choices: buttonsOf(question),
    files: changes.map((change, index) => ({
      name: diffs[index] ? fileName(diffs[index], LONGEST_NAME) : 'package.json',
      language: /[^./]*$/.exec(diffs[index]?.path ?? '.json')?.[0].toLowerCase() ?? '',
      counts: changes.length > 1 ? changeSizeText([change]) : '',
      lines: change.lines,
      ...cutOf(change),
    })),
    texts: textsOf(),
  };
}

/** What runs, in the lines that a shell reads: nothing else is changed, as it would be in a name. */
const linesOf = (commandLine: string): string =>
  cutText(commandLine, MOST_DETAIL)
    .split(/([\n\t])/)
    .map((part, index) => (index % 2 ? part : allVisible(part)))
    .join('');

export function textsOf() {
  return {
    waited: l10n.t('The agent has been waiting for {0}:{1} min.', '{0}', '{1}'),
    noNewline: l10n.t('no newline'),
    changesBelow: l10n.t('Changed lines below: {0}', '{0}'),
    below: l10n.t('There is more below'),
    choices: l10n.t('More'),
    files: l10n.t('{0} files', '{0}'),
  };
}

export const timeOf = ({ endsAt }: Opened): string =>
  new Date(endsAt).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });

/** How many more questions are waiting, as text; empty if none. */
export function moreOf(question: Opened): string {
  const others = question.askers().length - 1;
  return others > 0 ? l10n.t('{0} more waiting.', others) : '';
}

/** Why the user is asked although they have allowed something near to it. */
function whyOf({ allowed = [], grant, grants, changes }: Question): string {
  if (commandOf(grant) && changes)
    return l10n.t('You have allowed this command, but the scripts of package.json have changed since then.');
  const labels = allowed.map(allowedLabel).join(', ');
  if (allowed.length === 0) return '';
  return grants.length === 0
    ? l10n.t('You have allowed: {0}. This is asked about each time.', labels)
    : l10n.t('You have allowed: {0}. This is more than that.', labels);
}

/** What the answers that last cover: the user can read it before they choose one. */
function coversOf({ grants }: Question): string {
  const all = grants.map(grantLabel).join('; ');
  if (grants.length === 0) return '';
  return grants.some(isOfSession)
    ? l10n.t('“{0}” covers: {1}', sessionText(grants), all)
    : l10n.t('“Allow for Session” and “Always Allow” cover: {0}', all);
}

function saidOf({ server }: Question): string {
  if (server?.description === undefined) return '';
  const text = quoted(server.description.replaceAll(/\s+/g, ' '), MOST_SAID);
  return l10n.t('The server says of it: {0}', text);
}

/** How many changed lines of a file the page has no room for, and a text that says so. */
function cutOf({ added, removed, lines, isCut }: FileChange): { cut?: number; cutText?: string } {
  if (!isCut) return {};
  const shown = lines.filter(({ kind }) => kind === 'added' || kind === 'removed').length;
  const cut = added + removed - shown;
  const cutText = l10n.t('Changed lines that are not shown here: {0}. "Open Diff" shows them.', cut);
  return { cut, cutText };
}

/** The arguments of what would run, by name: texts as they are, all else as JSON. */
function givenOf({ arguments: args = {} }: Question): { name: string; value: string }[] {
  let room = MOST_DETAIL;
  return Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : jsonText(value, MOST_LEVELS, 2);
    const shown = cutText(text, room);
    room -= shown.length;
    return { name: oneLine(name, 80), value: allVisibleText(shown) };
  });
}

function warningsOf(question: Question): string[] {
  const { again, intent, diffs = [], changes = [], commandLine = '', arguments: args = {} } = question;
  const json = jsonText(args);
  const isDeep = json !== jsonText(args, MOST_LEVELS + 1);
  const isLong = commandLine.length > MOST_DETAIL || json.length > MOST_DETAIL || isDeep;
  return [
    again && l10n.t('The file has changed since you were asked.'),
    ...((intent?.type === 'undo' && intent.left) || []).map((one) =>
      l10n.t('Not taken back: {0}', oneLine(one)),
    ),
    ...diffs.flatMap((diff, index) => {
      const name = diffs.length > 1 ? `${fileName(diff)}: ` : '';
      return warningsOfFile(diff, changes[index]).map((warning) => name + warning);
    }),
    isLong && l10n.t('It is too long to show here in full.'),
    changes.some(({ isCut }) => isCut) &&
      l10n.t('The change is too long to show here. "Open Diff" shows all of it.'),
  ].filter(isText);
}

function warningsOfFile(
  { guard, isMixed, isUnfit, operation: { files, unkept, forGood } = { type: 'create' } }: FileDiff,
  { hidden, long }: Pick<FileChange, 'hidden' | 'long'> = { hidden: [], long: [] },
): string[] {
  const place = (lines: number[]) =>
    lines.slice(0, MOST_LINES).join(', ') + (lines.length > MOST_LINES ? ', …' : '');
  return [
    files !== undefined && l10n.t('Files in the folder: {0}', files),
    unkept && l10n.t('It is too large to keep, or has links: the agent cannot take it back.'),
    forGood && l10n.t('It is deleted for good: there is no trash here.'),
    guard && guardText(guard),
    isUnfit &&
      l10n.t(
        'Only the text of the proposal is shown: it does not fit the file, or the file cannot be compared.',
      ),
    isMixed && l10n.t('It has mixed line ends: saving makes them all the same.'),
    hidden.length > 0 && l10n.t('Invisible characters, shown as red codes. Lines: {0}', place(hidden)),
    long.length > 0 && l10n.t('Long lines, or text far to the right. Lines: {0}', place(long)),
  ].filter(isText);
}

const isText = (text: unknown): text is string => typeof text === 'string';
