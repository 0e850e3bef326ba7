/** Code that replaces a symbol, or is inserted at one. */
import * as z from 'zod';
import { type Insertion, insertedBeside } from '../../core/declarations/insert.ts';
import { insertedInside } from '../../core/declarations/insertInside.ts';
import { replaced } from '../../core/declarations/replace.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Candidate } from '../../services/language/symbols/candidates.ts';
import { defineEditTool } from '../tool.ts';
import { declarationArguments, editDeclaration } from './editDeclaration.ts';

const body = z.string().min(1).describe('Any indentation');

/** Replaces the declaration of a symbol. */
export const replaceSymbol = defineEditTool({
  name: 'replace_symbol',
  title: 'Replace symbol in VS Code',
  description:
    'Replaces a whole function, class or other symbol; the user approves it. Use it to rewrite one: it needs no old text. Comments and decorators above stay unless body begins with some.',
  group: 'language',
  input: z.strictObject({ body, ...declarationArguments }),
  run: ({ body, ...wanted }, ctx, call) =>
    editDeclaration(wanted, ctx, call, ({ scope, index, target }, unit) => {
      if (target.parts) throw severalDeclarations(target.parts);
      const edit = replaced(scope, index, insertionOf(body, unit));
      return { edit, done: 'Replaced', lines: 'new' };
    }),
});

const severalDeclarations = (parts: readonly Candidate[]): UserError =>
  new UserError(
    `It has ${parts.length} declarations. Pass one of ${parts.map(({ path }) => visible(path)).join(', ')}, or use edit_file.`,
  );

const DONE = {
  before: 'Inserted before',
  after: 'Inserted after',
  first: 'Inserted first in',
  last: 'Inserted last in',
};

/** Inserts code beside or inside a symbol. */
export const insertAtSymbol = defineEditTool({
  name: 'insert_at_symbol',
  title: 'Insert at symbol in VS Code',
  description:
    'Inserts code beside or inside a symbol, with indentation, blank lines and commas as there; the user approves it. Use it to add a function or member.',
  group: 'language',
  input: z.strictObject({
    position: z.enum(['before', 'after', 'first', 'last']).describe('first, last: inside'),
    body,
    ...declarationArguments,
  }),
  run: ({ position, body, ...wanted }, ctx, call) =>
    editDeclaration(wanted, ctx, call, ({ scope, indexes, siblings }, unit) => {
      const index = (position === 'before' ? indexes[0] : indexes.at(-1)) ?? 0;
      const insertion = insertionOf(body, unit);
      const edit =
        position === 'before' || position === 'after'
          ? insertedBeside(scope, index, position, insertion)
          : insertedInside(scope, index, siblings[index]?.children ?? [], position, insertion);
      return { edit, done: DONE[position], lines: 'new' };
    }),
});

/** Models put code between fences, as in Markdown. */
const withoutFence = (body: string): string => /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(body)?.[1] ?? body;

/** @throws UserError if the code cannot be saved as text */
function insertionOf(body: string, unit: string): Insertion {
  if (body.trim() === '') throw new UserError('body is empty. Use delete_symbol to delete a symbol.');
  if (body.includes('\0') || !body.isWellFormed())
    throw new UserError('body contains a NUL or half a character, which a text file cannot have.');
  return { body: withoutFence(withLf(body)), unit };
}
