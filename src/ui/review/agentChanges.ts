/** What of a file's text comes from agents: computed on demand, so typing is not tracked. Pure. */
import { withLf } from '../../core/text/replacements.ts';
import { type LineChange, lineChanges } from '../../util/lineDiff.ts';
import type { AgentEdit } from '../../workspace/edit/journal.ts';
import { merge } from '../../workspace/edit/merge.ts';
import type { Content, Step } from './histories.ts';

/** Lines that come from agents. As a {@link LineChange} of the present text, it takes them back. */
export interface AgentChange extends LineChange {
  kind: 'added' | 'changed' | 'removed';
  /** The last edit that changed these lines. */
  edit: AgentEdit;
}

/**
 * The text as it would be without some steps. Lines that the user has changed since are the user's and stay. Texts are
 * undefined while there is no file.
 *
 * @param steps oldest first
 * @param text the present text, with `\n` between the lines
 */
export const without = (steps: readonly Step[], text: string | undefined): string | undefined =>
  steps.reduceRight<string | undefined>((rest, step) => undone(step, rest), text);

function undone(step: Step, text: string | undefined): string | undefined {
  const [before, after] = [textOf(step.before), textOf(step.after)];
  if (after === undefined) return text === undefined ? before : text; // the user may have created it again
  if (text === undefined) return undefined; // the user has deleted it
  const merged = merge(after, before ?? '', text).text;
  return before === undefined && merged === '' ? undefined : merged;
}

/** Of bytes that are not UTF-8, it is a text that nobody has: then nothing is found in it. */
export const textOf = (content: Content): string | undefined =>
  content instanceof Uint8Array ? withLf(new TextDecoder().decode(content)) : content;

/**
 * The lines of a text that come from some steps, from top to bottom.
 *
 * @param steps oldest first
 * @param text with `\n` between the lines
 */
export function agentChanges(steps: readonly Step[], text: string): AgentChange[] {
  const found = lineChanges(text, without(steps, text) ?? '');
  const open = new Set(found);
  const owners = new Map<LineChange, AgentEdit>();
  for (const step of steps.toReversed()) {
    if (open.size === 0) break;
    const own = lineChanges(text, undone(step, text) ?? '');
    for (const change of [...open]) {
      if (!own.some((one) => touches(one, change))) continue;
      owners.set(change, step.edit);
      open.delete(change);
    }
  }
  return found.flatMap((change) => {
    const edit = owners.get(change) ?? steps.at(-1)?.edit;
    return edit ? [{ ...change, kind: kindOf(change), edit }] : [];
  });
}

const touches = (a: LineChange, b: LineChange): boolean =>
  a.start.line <= b.end.line && b.start.line <= a.end.line;

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
