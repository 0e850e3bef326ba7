/** What of a file's text comes from agents: computed on demand, so typing is not tracked. Pure. */
import { type LineChange, lineChanges } from '../../util/lineDiff.ts';
import type { AgentEdit } from '../../workspace/edit/journal.ts';
import { linesOf, merge } from '../../workspace/edit/merge.ts';
import { contentText, type Step } from './histories.ts';

/** Lines that come from agents. As a {@link LineChange} of the present text, it takes them back. */
export interface AgentChange extends LineChange {
  kind: 'added' | 'changed' | 'removed';
  /** The last edit that changed these lines. */
  edit: AgentEdit;
  /** Ids of all that did. */
  edits: readonly number[];
}

/**
 * The text as it would be without some steps. Lines that the user has changed since are the user's and stay. Texts are
 * undefined while there is no file.
 *
 * @param steps oldest first
 * @param text the present text, with `\n` between the lines
 */
export function without(steps: readonly Step[], text: string | undefined): string | undefined {
  const one = asOne(steps);
  return one ? undone(one, text) : text;
}

interface Texts {
  before: string | undefined;
  after: string | undefined;
}

/** What the steps made of a text, as one: only where the user typed in between, there is something to merge. */
const asOne = (steps: readonly Step[]): Texts | undefined =>
  steps.reduce<Texts | undefined>((one, step) => {
    const [before, after] = [contentText(step.before), contentText(step.after)];
    return { before: one ? undone(one, before) : before, after };
  }, undefined);

function undone({ before, after }: Texts, text: string | undefined): string | undefined {
  if (text === after) return before;
  if (after === undefined) return text; // the user has created it again
  if (text === undefined) return undefined; // the user has deleted it
  const merged = merge(after, before ?? '', text).text;
  return before === undefined && merged === '' ? undefined : merged;
}

/**
 * The lines of a text that come from some steps, from top to bottom.
 *
 * @param steps oldest first
 * @param text with `\n` between the lines
 */
export function agentChanges(steps: readonly Step[], text: string): AgentChange[] {
  const found = lineChanges(text, without(steps, text) ?? '');
  const owners = found.length > 0 ? lineOwners(steps, text) : [];
  return found.flatMap((change) => {
    const kind = kindOf(change);
    const lines = owners.slice(firstLine(change), lastLine(change) + 1);
    const edits = lines.flatMap(({ line, above }) => (kind === 'removed' ? above : line) ?? []);
    const last = steps.findLast(({ isKeep }) => !isKeep)?.edit;
    const edit = edits.sort((a, b) => a.id - b.id).at(-1) ?? last;
    return edit ? [{ ...change, kind, edit, edits: [...new Set([...edits, edit].map(({ id }) => id))] }] : [];
  });
}

/** To take back what was added is to remove it. */
const kindOf = ({ start, end, text }: LineChange): AgentChange['kind'] => {
  if (text === '') return 'added';
  return start.line === end.line && start.character === end.character ? 'removed' : 'changed';
};

/** The text with some of its lines replaced. @param text with `\n` between the lines */
export function withChange(text: string, { start, end, text: by }: LineChange): string {
  const lines = text.split('\n');
  const offsetOf = ({ line, character }: LineChange['start']) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character);
  return text.slice(0, offsetOf(start)) + by + text.slice(offsetOf(end));
}

/** The text without some of its changes, which are in it from top to bottom. */
export const withoutChanges = (text: string, changes: readonly AgentChange[]): string =>
  changes.reduceRight(withChange, text);

/** Whether two changes of a text show in the same lines. */
export const isMeeting = (a: AgentChange, b: AgentChange): boolean =>
  firstLine(a) <= lastLine(b) && firstLine(b) <= lastLine(a);

/** The change that a line shows, 0-based. */
export const changeAt = (changes: readonly AgentChange[], line: number): AgentChange | undefined =>
  changes.find((change) => firstLine(change) <= line && line <= lastLine(change));

/** The next change after a line, or the last one before it. */
export const nextChange = (
  changes: readonly AgentChange[],
  line: number,
  direction: 1 | -1,
): AgentChange | undefined =>
  direction > 0
    ? changes.find((change) => firstLine(change) > line)
    : changes.findLast((change) => lastLine(change) < line);

/** The lines that show a change, 0-based. Of removed lines, the one that follows them. */
export const firstLine = ({ start }: LineChange): number => start.line;
export const lastLine = ({ start, end }: LineChange): number =>
  end.character === 0 && end.line > start.line ? end.line - 1 : end.line;

/** Who changed a line, and who removed text above it; the last entry stands for the end of the text. */
export interface LineOwner {
  line?: AgentEdit;
  above?: AgentEdit;
}

/**
 * Follows the lines through all steps, and through what the user typed between and after them: lines that the user typed have no
 * owner.
 *
 * @param steps oldest first
 * @param text the present text, with `\n` between the lines
 */
export function lineOwners(steps: readonly Step[], text: string): readonly LineOwner[] {
  const texts = steps.flatMap(({ before, after, edit, isKeep }) => [
    { text: contentText(before) ?? '' },
    { text: contentText(after) ?? '', edit: isKeep ? undefined : edit },
  ]);
  let owners: LineOwner[] = [{}];
  let known = '';
  for (const next of [...texts, { text, edit: undefined }]) {
    if (next.text !== known) owners = followed(owners, lineChanges(known, next.text), next.edit);
    known = next.text;
  }
  return owners;
}

function followed(owners: readonly LineOwner[], changes: readonly LineChange[], edit?: AgentEdit) {
  const own: LineOwner = edit ? { line: edit, above: edit } : {};
  const next: LineOwner[] = [];
  let at = 0;
  for (const change of changes) {
    const { start, end, text } = linesOf(change);
    for (; at < start; at++) next.push(owners[at] ?? {});
    at = end;
    for (let count = lineCount(text); count > 0; count--) next.push(own);
    if (text === '' && edit) next.push({ ...owners[at++], above: edit });
  }
  for (; at < owners.length; at++) next.push(owners[at] ?? {});
  return next;
}

const lineCount = (text: string): number => text.split('\n').length - (/(^|\n)$/.test(text) ? 1 : 0);
