import { UserError } from '../errors.ts';
import { isCFamily } from '../kinds.ts';
import { bodyAt, requireOwnValues } from './go.ts';
import { ENDS_BLOCK, indented, indentOf, unitOf, withoutComment } from './indentation.ts';
import type { Insertion } from './insert.ts';
import { beginsWithLead, isDecorator, TEMPLATE } from './lead.ts';
import {
  commaBefore,
  extentAt,
  isListed,
  requireOwnStatement,
  type SymbolScope,
  sharesLine,
} from './scope.ts';
import type { DeclarationEdit, Extent, OffsetEdit, Source } from './source.ts';

/**
 * Replaces a declaration. The comments and decorators above it stay unless the body has its own.
 *
 * @throws UserError if it is not clear where it begins and ends
 */
export function replaced(scope: SymbolScope, index: number, { body, unit }: Insertion): DeclarationEdit {
  const { source } = scope;
  const extent = extentAt(scope, index);
  const { lead, first, to, isAlone } = extent;
  requireOwnStatement(scope, index);
  if (!isAlone && !isPiece(scope, extent)) throw sharesLine();
  const line = source.line(first);
  // Neither a heading of Markdown is a lead, nor a template on the line of its declaration.
  const isOwn = line.startsWith('#') || (TEMPLATE.test(line) && TEMPLATE.test(body));
  const hasLead = isAlone && !isOwn && beginsWithLead(body, scope.language);
  if (hasLead) requireDecorators(source.lines.slice(lead, first), body, scope.language);
  const ownUnit = unitOf(source.lines.slice(first, extent.last + 1).join('\n'), scope.language) ?? unit;
  const lines = indented(bodyAt(scope, index, body), indentOf(line), ownUnit, scope.language);
  const text = isAlone ? lines : lines.trimStart();
  const start = hasLead ? lead : first;
  const from = isAlone ? source.startOf(start) : extent.from;
  return {
    edits: [{ from, to: pastOldComment(source, to, text), text }],
    first: start,
    last: start + text.split('\n').length - 1,
  };
}

/** Behind the comment that is behind a declaration, if the new text ends with one of its own. */
function pastOldComment(source: Source, to: number, text: string): number {
  const [comment = '', mark] =
    /^[ \t]*(#|\/\/).*/.exec(source.text.slice(to, source.endOf(source.lineAt(to)))) ?? [];
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const isNew = mark !== undefined && last.slice(withoutComment(last).length).trim().startsWith(mark);
  return isNew ? to + comment.length : to;
}

/** @throws UserError if decorators would go that the body does not mention: they mean more than comments */
function requireDecorators(above: readonly string[], body: string, language: string): void {
  const decorator = above.find((one) => isDecorator(one, language));
  if (decorator === undefined || body.split('\n').some((one) => isDecorator(one, language))) return;
  throw new UserError(
    `body has a comment, but not the decorators above (${decorator.trim()}). Put them into body as well, or leave the comment out.`,
  );
}

/** Whether what is on both sides of it stays whole without it, as in `{ a: 1 }`. */
function isPiece({ source: { text }, language }: SymbolScope, { from, to }: Extent): boolean {
  if (language === 'shellscript') return false;
  const before = text.slice(0, from).trimEnd().at(-1) ?? '{';
  const after =
    text
      .slice(to)
      .replace(/^[ \t]+/, '')
      .at(0) ?? '}';
  return '{[(,;'.includes(before) && '}]);,\n'.includes(after);
}

/**
 * Deletes a declaration with its comments and decorators, its comma, and one of the gaps around it.
 *
 * @throws UserError if it is not clear where it begins and ends
 */
export function deleted(scope: SymbolScope, index: number): DeclarationEdit {
  const extent = extentAt(scope, index);
  const { isAlone, lead, first, last, comma } = extent;
  requireOwnValues(scope, index);
  if (scope.symbols.length === 1 && scope.parent?.kind === 'enum' && isCFamily(scope.language))
    throw new UserError('An enum has to have a member. Delete the enum, or use edit_file.');
  if (!isAlone) return { edits: [withoutPiece(scope, extent)], first, last };
  const loose = comma === undefined && isListed(scope, index) ? commaBefore(scope, index) : undefined;
  const edits = loose === undefined ? [] : [{ from: loose, to: loose + 1, text: '' }];
  const empty = emptyStatement(scope, extent);
  if (empty) return { edits: [empty], first: lead, last };
  return { edits: [...edits, withoutLines(scope.source, extent)], first: lead, last };
}

/** How a block begins and ends that has to have a statement, and that statement. */
const STATEMENTS: Record<string, readonly [head: RegExp, end: RegExp | undefined, statement: string]> = {
  python: [/:$/, undefined, 'pass'],
  shellscript: [/(^|[\s;])(\{|then|else|do)$|\($/, /^\s*(\}|\)|(fi|else|elif|done)\b)/, ':'],
};

/** What takes the place of the only statement of a block. */
function emptyStatement(
  { source, language }: SymbolScope,
  { lead, first, last }: Extent,
): OffsetEdit | undefined {
  const [head, end, statement] = STATEMENTS[language] ?? [];
  if (!head) return undefined;
  const isComment = (line: number) => /^\s*#/.test(source.line(line));
  let [above, below] = [source.nextContent(lead, -1), source.nextContent(last, 1)];
  while (isComment(above)) above = source.nextContent(above, -1);
  while (isComment(below)) below = source.nextContent(below, 1);
  const indent = indentOf(source.line(first));
  const isEnd = end
    ? end.test(source.line(below))
    : below >= source.lines.length || indentOf(source.line(below)).length < indent.length;
  if (!isEnd || !head.test(withoutComment(source.line(above)))) return undefined;
  return { from: source.startOf(lead), to: source.endOf(last), text: indent + statement };
}

function withoutLines(source: Source, { lead, last }: Extent): OffsetEdit {
  const above = source.nextContent(lead, -1);
  const below = source.nextContent(last, 1);
  const [gapAbove, gapBelow] = [lead - above - 1, below - last - 1];
  const isLast = below >= source.lines.length || ENDS_BLOCK.test(source.line(below));
  const isFirst = above < 0 || /[{[(:]$/.test(source.line(above).trimEnd());
  const start = isLast ? lead - gapAbove : lead;
  const end = last + 1 + (isLast ? 0 : isFirst ? gapBelow : Math.min(gapAbove, gapBelow));
  const isEnd = end >= source.lines.length && start > 0; // no line break follows
  return { from: source.startOf(start) - (isEnd ? 1 : 0), to: source.startOf(end), text: '' };
}

/** For one that shares its lines, as in `{ a: 1, b: 2 }` and `const a = 1, b = 2`. @throws UserError */
function withoutPiece(scope: SymbolScope, extent: Extent): OffsetEdit {
  const { text } = scope.source;
  // `a, b = f()`: what is left would get the other's value.
  if (/^(python|shellscript)$/.test(scope.language)) throw sharesLine();
  const { from, to, comma } = extent;
  const pastSpace = (at: number) => at + text.slice(at).search(/\S|$/);
  if (comma !== undefined) return { from, to: pastSpace(comma + 1), text: '' };
  const before = text.slice(0, from).trimEnd();
  if (before.endsWith(',')) return { from: before.length - 1, to, text: '' };
  if (!isPiece(scope, extent)) throw sharesLine();
  return { from, to: to + (/^;?[ \t]*/.exec(text.slice(to))?.[0].length ?? 0), text: '' };
}
