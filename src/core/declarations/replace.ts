import { UserError } from '../errors.ts';
import type { Extent } from './extent.ts';
import { indented, indentOf } from './indentation.ts';
import type { Insertion } from './insert.ts';
import { beginsWithLead, isDecorator } from './lead.ts';
import {
  extentAt,
  isListed,
  requireOwnStatement,
  type SymbolScope,
  sharesLine,
  withoutComma,
} from './scope.ts';
import type { DeclarationEdit, Source } from './source.ts';

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
  if (!isAlone && !isPiece(source, extent)) throw sharesLine();
  const line = source.line(first);
  const hasLead = isAlone && beginsWithLead(body) && !line.startsWith('#'); // a heading of Markdown is no comment
  if (hasLead) requireDecorators(source.lines.slice(lead, first), body);
  const own = isListed(scope, index) ? withoutComma(body) : body;
  const lines = indented(own, indentOf(line), unit);
  const text = isAlone ? lines : lines.trimStart();
  const start = hasLead ? lead : first;
  const from = isAlone ? source.startOf(start) : extent.from;
  return { edits: [{ from, to, text }], first: start, last: start + text.split('\n').length - 1 };
}

/** @throws UserError if decorators would go that the body does not mention: they mean more than comments */
function requireDecorators(above: readonly string[], body: string): void {
  const decorator = above.find(isDecorator);
  if (decorator === undefined || body.split('\n').some(isDecorator)) return;
  throw new UserError(
    `body has a comment, but not the decorators above (${decorator.trim()}). Put them into body as well, or leave the comment out.`,
  );
}

/** Whether what is on both sides of it stays whole without it, as in `{ a: 1 }`. */
export function isPiece({ text }: Source, { from, to }: Extent): boolean {
  const before = text.slice(0, from).trimEnd().at(-1) ?? '{';
  const after =
    text
      .slice(to)
      .replace(/^[ \t]+/, '')
      .at(0) ?? '}';
  return '{[(,;'.includes(before) && '}]);,\n'.includes(after);
}
