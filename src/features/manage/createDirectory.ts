import * as z from 'zod';
import * as args from '../arguments.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';

/** A new folder. */
export const createDirectory = defineTool({
  name: 'create_directory',
  title: 'Create folder in VS Code',
  description: 'Creates an empty folder, and those above it. write_file needs none.',
  group: 'edit',
  operation: 'edit',
  annotations: { ...CHANGES_TEXT, destructiveHint: false },
  input: z.strictObject({ path: args.path, dryRun }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ path, dryRun }, ctx, call) {
    const target = await ctx.files.locateNew(path);
    const operations = [{ type: 'create_folder' as const, target }];
    if (dryRun) return text(...(await previewEdits([], ctx, call, operations)));
    return text((await makeEdits([], { operations }, ctx, call)).join('\n'));
  },
});
