import assert from 'node:assert/strict';
import { unitOf } from '../../../../src/core/declarations/indentation.ts';
import { type Action, type Named, planned } from '../../../../src/core/declarations/plan.ts';
import { scopeOf } from '../../../../src/core/declarations/scope.ts';
import { type Declared, Source } from '../../../../src/core/declarations/source.ts';

interface Marked extends Declared {
  children: Marked[];
  isTarget: boolean;
}

/**
 * A text with marks: `‹…›` around the ranges of symbols as a server gives them, `«…»` around that of the one to edit, and `·` before
 * a name that is not at the start of its range.
 */
function parsed(marked: string, kinds: readonly string[]) {
  const roots: Marked[] = [];
  const open: Marked[] = [];
  let text = '';
  for (const mark of marked) {
    const last = open.at(-1);
    if (mark === '‹' || mark === '«') {
      const kind = kinds[open.length] ?? 'other';
      const at = text.length;
      const one = { from: at, to: at, name: at, kind, children: [], isTarget: mark === '«' };
      (last?.children ?? roots).push(one);
      open.push(one);
    } else if (mark === '·' && last) last.name = text.length;
    else if ((mark === '›' || mark === '»') && last) {
      last.to = text.length;
      open.pop();
    } else text += mark;
  }
  return { text, roots };
}

function targetIn(
  source: Source,
  all: readonly Marked[],
  language: string,
  parent?: Marked,
): Named | undefined {
  const index = all.findIndex(({ isTarget }) => isTarget);
  if (index >= 0) return { scope: scopeOf(source, all, parent, language), indexes: [index], siblings: all };
  for (const one of all) {
    const found = targetIn(source, one.children, language, one);
    if (found) return found;
  }
  return undefined;
}

/** Actions without `insert_`. */
export type Operation = 'replace' | 'before' | 'after' | 'first' | 'last' | 'delete';

const actionOf = (operation: Operation): Action =>
  operation === 'replace' || operation === 'delete' ? operation : `insert_${operation}`;

/** The text after an edit of the marked symbol; the new lines in it, or the deleted ones before. */
export function edited(
  operation: Operation,
  marked: string,
  body = '',
  language = 'typescript',
  kinds: readonly string[] = [],
): { text: string; lines: string } {
  const { text, roots } = parsed(marked, kinds);
  const source = new Source(text);
  const target = targetIn(source, roots, language);
  if (!target) throw new Error('no target');
  const { edits, first, last } = planned(actionOf(operation), target, {
    body,
    unit: unitOf(text, language) ?? '  ',
  });
  const sorted = [...edits].sort((a, b) => b.from - a.from);
  const after = sorted.reduce(
    (current, { from, to, text }) => current.slice(0, from) + text + current.slice(to),
    text,
  );
  const shown = (operation === 'delete' ? text : after).split('\n').slice(first, last + 1);
  return { text: after, lines: shown.join('\n') };
}

/** Makes sure that an edit changes a text as the text itself shows: `⟦old⇒new⟧`. */
export function requireEdit(
  operation: Operation,
  shown = '',
  body?: string,
  language?: string,
  kinds?: string,
): void {
  const CHANGE = /⟦([^⇒]*)⇒([^⟧]*)⟧/;
  const before = shown.replace(CHANGE, (_, old) => old);
  const after = shown.replace(CHANGE, (_, _old, now) => now).replaceAll(/[‹›«»·]/g, '');
  const { text, lines } = edited(operation, before, body, language || undefined, kinds?.split(' '));
  assert.equal(text, after);
  if (operation !== 'delete') assert.ok(lines.trim() && after.includes(lines));
}
