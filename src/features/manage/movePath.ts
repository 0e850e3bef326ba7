import * as z from 'zod';
import * as args from '../arguments.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';

/** Moves or renames a file or folder. */
export const movePath = defineTool({
  name: 'move_path',
  title: 'Move file or folder in VS Code',
  description:
    'Moves or renames a file or folder; the user approves it. Use it instead of mv: open editors and unsaved text go along, and language servers update imports.',
  group: 'edit',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  hints: { search: 'rename file' },
  input: z.strictObject({ source: args.path, destination: args.newPath, dryRun }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ source, destination, dryRun }, ctx, call) {
    const location = await ctx.files.locate(source);
    const target = await ctx.files.locateNew(destination, location);
    const operations = [{ type: 'move' as const, location, target }];
    if (dryRun) return text(...(await previewEdits([], ctx, call, operations)));
    return text((await makeEdits([], { operations }, ctx, call)).join('\n'));
  },
});
