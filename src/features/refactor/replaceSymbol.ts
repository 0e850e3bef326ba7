import * as z from 'zod';
import { replaced } from '../../core/declarations/replace.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { Candidate } from '../../services/language/symbols/candidates.ts';
import { CHANGES_TEXT, defineTool } from '../tool.ts';
import { body, declarationArguments, editDeclaration, insertionOf } from './editDeclaration.ts';

/** Replaces the declaration of a symbol. */
export const replaceSymbol = defineTool({
  name: 'replace_symbol',
  title: 'Replace symbol in VS Code',
  description:
    'Replaces a whole function, class or other symbol; the user approves it. Use it to rewrite one: it needs no old text. Comments and decorators above stay unless body begins with some.',
  group: 'language',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  input: z.strictObject({ body, ...declarationArguments }),
  onlyLooks: ({ dryRun }) => dryRun,
  run: ({ body, ...wanted }, ctx, call) =>
    editDeclaration(
      wanted,
      ({ scope, index, target }, unit) => {
        if (target.parts) throw severalDeclarations(target.parts);
        const edit = replaced(scope, index, insertionOf(body, unit));
        return { edit, done: 'Replaced', lines: 'new' };
      },
      ctx,
      call,
    ),
});

const severalDeclarations = (parts: readonly Candidate[]): UserError =>
  new UserError(
    `It has ${parts.length} declarations. Pass one of ${parts.map(({ path }) => visible(path)).join(', ')}, or use edit_file.`,
  );
