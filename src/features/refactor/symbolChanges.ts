/** What changes the declaration of a symbol, by what is to be done to it. */
import { type Insertion, insertedBeside } from '../../core/declarations/insert.ts';
import { insertedInside } from '../../core/declarations/insertInside.ts';
import { replaced } from '../../core/declarations/replace.ts';
import type { DeclarationEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/shown.ts';
import type { DeclaredSymbol } from '../../services/language/symbols/declaration.ts';

/** What is said of each when it is done. */
export const DONE = {
  replace: 'Replaced',
  insert_before: 'Inserted before',
  insert_after: 'Inserted after',
  insert_first: 'Inserted first in',
  insert_last: 'Inserted last in',
  delete: 'Deleted',
};

export type Action = keyof typeof DONE;

/** @throws UserError if the symbol has several declarations or no place for the code */
export function changedBy(
  action: Exclude<Action, 'delete'>,
  { scope, index, indexes, siblings, target }: DeclaredSymbol,
  insertion: Insertion,
): DeclarationEdit {
  const names = target.parts?.map(({ path }) => visible(path));
  if (action === 'replace' && names)
    throw new UserError(
      `It has ${names.length} declarations. Pass one of ${names.join(', ')}, or use edit_file.`,
    );
  if (action === 'replace') return replaced(scope, index, insertion);
  const at = (action === 'insert_before' ? indexes[0] : indexes.at(-1)) ?? 0;
  if (action === 'insert_before') return insertedBeside(scope, at, 'before', insertion);
  if (action === 'insert_after') return insertedBeside(scope, at, 'after', insertion);
  const end = action === 'insert_first' ? 'first' : 'last';
  return insertedInside(scope, at, siblings[at]?.children ?? [], end, insertion);
}

/** Models put code between fences, as in Markdown. */
const withoutFence = (body: string): string => /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(body)?.[1] ?? body;

/** @throws UserError if there is no code, or it cannot be saved as text */
export function codeOf(body = ''): string {
  if (body.trim() === '') throw new UserError('body is empty. Use the action "delete" to delete a symbol.');
  if (body.includes('\0') || !body.isWellFormed())
    throw new UserError('body contains a NUL or half a character, which a text file cannot have.');
  return withoutFence(withLf(body));
}
