import { linesInStrings, unitOf } from '../../../src/core/declarations/indentation.ts';
import { type Action, planned } from '../../../src/core/declarations/plan.ts';
import { type DeclarationEdit, type OffsetEdit, Source } from '../../../src/core/declarations/source.ts';
import { UserError } from '../../../src/core/errors.ts';
import {
  type FoundNode,
  findNode,
  type GivenSymbol,
  type Node,
  treeOf,
} from '../../../src/services/language/symbols/tree.ts';

/** How a symbol is replaced by its own text: as it is written, without the indentation of its first line, or of all lines. */
type Form = 'replace' | 'replace_trimmed' | 'replace_dedented';

export const ACTIONS: readonly (Action | Form)[] = [
  'replace',
  'replace_trimmed',
  'replace_dedented',
  'insert_before',
  'insert_after',
  'insert_first',
  'insert_last',
  'delete',
];

/** Where code is put: what it has to be there is known by the symbol and what is around it. */
export interface Place {
  action: Action | Form;
  kind: string;
  /** Kinds of the symbols around, the nearest first. */
  outer: readonly string[];
  found: FoundNode;
  source: Source;
  /** Unique in its file. */
  number: number;
}

/** One edit of one symbol of a text. */
export interface Variant {
  action: Action | Form;
  /** Name path, with the line. */
  title: string;
  edit?: DeclarationEdit;
  /** The message, if it is refused. */
  refusal?: string;
}

/** New code for a place; undefined if there is none that is known to be right there. */
export type BodyFor = (place: Place) => string | undefined;

/** What every action does to every symbol of a text, by the steps of `edit_symbol`. */
export function variantsOf(
  text: string,
  symbols: readonly GivenSymbol[],
  language: string,
  bodyFor: BodyFor,
): Variant[] {
  const source = new Source(text);
  const roots = treeOf(symbols, source);
  const unit = unitOf(text, language) ?? '    ';
  let number = 0;
  return [...walk(roots)].flatMap(({ node, path, outer }) =>
    ACTIONS.flatMap((action): Variant[] => {
      const title = `${path} (${node.kind}, line ${source.lineAt(node.name) + 1})`;
      try {
        const found = findNode(roots, node.key, source, language);
        if (!found) return [];
        const place = { action, kind: node.kind, outer, found, source, number: number++ };
        const body = bodyOf(place, bodyFor);
        if (body === undefined) return [];
        const doing = action.startsWith('replace') ? 'replace' : (action as Action);
        return [
          { action, title, edit: planned(doing, { ...found, indexes: [found.index] }, { body, unit }) },
        ];
      } catch (error) {
        if (error instanceof UserError) return [{ action, title, refusal: error.message }];
        throw error;
      }
    }),
  );
}

function bodyOf(place: Place, bodyFor: BodyFor): string | undefined {
  return place.action.startsWith('replace') ? ownText(place.found, place.action) : bodyFor(place);
}

function ownText({ scope: { source, extents, language }, index }: FoundNode, form: string): string {
  const { from, to, first, isAlone } = extents[index] ?? { from: 0, to: 0, first: 0, isAlone: false };
  const text = source.text.slice(from, to);
  if (!isAlone || form === 'replace_trimmed') return text;
  const indent = source.text.slice(source.startOf(first), from);
  const lines = (indent + text).split('\n');
  if (form === 'replace') return lines.join('\n');
  const moves = linesInStrings(indent + text, language);
  return lines
    .map((line, at) =>
      line.startsWith(indent) && moves.get(at) !== false ? line.slice(indent.length) : line,
    )
    .join('\n');
}

function* walk(
  nodes: readonly Node[],
  path = '',
  outer: readonly string[] = [],
): Generator<{ node: Node; path: string; outer: readonly string[] }> {
  for (const node of nodes) {
    yield { node, path: path + node.label, outer };
    yield* walk(node.children, `${path}${node.label}/`, [node.kind, ...outer]);
  }
}

export const applied = (text: string, edits: readonly OffsetEdit[]): string =>
  [...edits]
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((after, { from, to, text }) => after.slice(0, from) + text + after.slice(to), text);

/** Groups of edits that can be made at once. */
export function together(variants: readonly Variant[]): Variant[][] {
  const groups: { variants: Variant[]; edits: OffsetEdit[] }[] = [];
  const meet = (a: OffsetEdit, b: OffsetEdit) => a.from <= b.to && b.from <= a.to;
  for (const variant of variants) {
    const edits = variant.edit?.edits ?? [];
    const free = groups.find((group) => !edits.some((a) => group.edits.some((b) => meet(a, b))));
    if (free) {
      free.variants.push(variant);
      free.edits.push(...edits);
    } else groups.push({ variants: [variant], edits: [...edits] });
  }
  return groups.map((group) => group.variants);
}
