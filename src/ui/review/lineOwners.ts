/** Which edit of an agent last changed each line of a text. Pure. */
import { type LineChange, lineChanges } from '../../util/lineDiff.ts';
import type { AgentEdit } from '../../workspace/edit/journal.ts';
import { linesOf } from '../../workspace/edit/merge.ts';
import { type Step, textOf } from './histories.ts';

/** Of one line, and of what was removed above it; the last entry stands for the end of the text. */
export interface Owner {
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
export function lineOwners(steps: readonly Step[], text: string): readonly Owner[] {
  const texts = steps.flatMap(({ before, after, edit }) => [
    { text: textOf(before) ?? '' },
    { text: textOf(after) ?? '', edit },
  ]);
  let owners: Owner[] = [{}];
  let known = '';
  for (const next of [...texts, { text, edit: undefined }]) {
    if (next.text !== known) owners = followed(owners, lineChanges(known, next.text), next.edit);
    known = next.text;
  }
  return owners;
}

function followed(owners: readonly Owner[], changes: readonly LineChange[], edit?: AgentEdit): Owner[] {
  const own: Owner = edit ? { line: edit, above: edit } : {};
  const next: Owner[] = [];
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
