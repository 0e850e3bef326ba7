import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { applyReplacements, type Replacement, ReplacementError } from '../../core/text/replacements.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import { defineEditTool, text } from '../tool.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from './makeEdits.ts';

export const replacements = z
  .array(
    z.strictObject({
      oldText: z.string().describe('Exact text, found once; empty only if the file is'),
      newText: z.string(),
    }),
  )
  .min(1)
  .max(200)
  .describe('Applied in order');

export const editFile = defineEditTool({
  name: 'edit_file',
  title: 'Edit file in VS Code',
  description:
    'Replaces text in a file in VS Code, all edits or none, as one undo step that the user approves. Use it for files the user has open: their unsaved text is kept. Returns its version, whether it is saved, and new and gone problems.',
  group: 'edit',
  hints: { search: 'edit file in the VS Code editor, approved by the user' },
  input: z.strictObject({
    path: args.path,
    edits: replacements,
    dryRun,
    keepIf,
    expectedVersion: z.int().min(1).optional().describe('Refuse if the version differs'),
  }),
  async run({ path, edits, dryRun, keepIf, expectedVersion }, ctx, call) {
    const location = await ctx.files.locate(path);
    const plan = (before: string) => planned(before, edits, location);
    const edit = { location, plan, expectedVersion };
    if (dryRun) return text(...(await previewEdits([edit], ctx, call)));
    const did = () => counted(edits.length, 'replacement');
    return text((await makeEdits([edit], { keepIf, did }, ctx, call)).join('\n'));
  },
});

/** @throws UserError if a replacement does not fit */
export function planned(before: string, edits: readonly Replacement[], { path }: Location): string {
  try {
    return applyReplacements(before, edits);
  } catch (error) {
    if (error instanceof ReplacementError)
      throw new UserError(`${visible(path)} is unchanged: ${error.message}`, { lines: true });
    throw error;
  }
}
