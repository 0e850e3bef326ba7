import * as z from 'zod';
import { insertedBeside } from '../../core/declarations/insert.ts';
import { insertedInside } from '../../core/declarations/insertInside.ts';
import { CHANGES_TEXT, defineTool } from '../tool.ts';
import { body, declarationArguments, editDeclaration, insertionOf } from './editDeclaration.ts';

const DONE = {
  before: 'Inserted before',
  after: 'Inserted after',
  first: 'Inserted first in',
  last: 'Inserted last in',
};

/** Inserts code beside or inside a symbol. */
export const insertAtSymbol = defineTool({
  name: 'insert_at_symbol',
  title: 'Insert at symbol in VS Code',
  description:
    'Inserts code beside or inside a symbol, with indentation, blank lines and commas as there; the user approves it. Use it to add a function or member.',
  group: 'language',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  input: z.strictObject({
    position: z.enum(['before', 'after', 'first', 'last']).describe('first, last: inside'),
    body,
    ...declarationArguments,
  }),
  onlyLooks: ({ dryRun }) => dryRun,
  run: ({ position, body, ...wanted }, ctx, call) =>
    editDeclaration(
      wanted,
      ({ scope, indexes, siblings }, unit) => {
        const index = (position === 'before' ? indexes[0] : indexes.at(-1)) ?? 0;
        const insertion = insertionOf(body, unit);
        const edit =
          position === 'before' || position === 'after'
            ? insertedBeside(scope, index, position, insertion)
            : insertedInside(scope, index, siblings[index]?.children ?? [], position, insertion);
        return { edit, done: DONE[position], lines: 'new' };
      },
      ctx,
      call,
    ),
});
