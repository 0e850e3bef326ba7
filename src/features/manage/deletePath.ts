import * as z from 'zod';
import * as args from '../arguments.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';

/** Deletes a file or folder. */
export const deletePath = defineTool({
  name: 'delete_path',
  title: 'Delete file or folder in VS Code',
  description:
    'Deletes a file, or a folder with all that is in it, to the trash if there is one; the user sees what goes and approves it. Use it instead of rm: undo_edit brings it back.',
  group: 'edit',
  operation: 'delete',
  annotations: CHANGES_TEXT,
  hints: { search: 'remove file' },
  input: z.strictObject({ path: args.path, dryRun }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ path, dryRun }, ctx, call) {
    const location = await ctx.files.locate(path);
    const operations = [{ type: 'delete' as const, location }];
    if (dryRun) return text(...(await previewEdits([], ctx, call, operations)));
    return text((await makeEdits([], { operations }, ctx, call)).join('\n'));
  },
});
