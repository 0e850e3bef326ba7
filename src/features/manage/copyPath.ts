import * as z from 'zod';
import * as args from '../arguments.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';

/** Copies a file or folder. */
export const copyPath = defineTool({
  name: 'copy_path',
  title: 'Copy file or folder in VS Code',
  description:
    'Copies a file or folder as it is saved; the user approves it. Use it instead of writing the same text again.',
  group: 'edit',
  operation: 'edit',
  annotations: { ...CHANGES_TEXT, destructiveHint: false },
  input: z.strictObject({ source: args.path, destination: args.newPath, dryRun }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ source, destination, dryRun }, ctx, call) {
    const location = await ctx.files.locate(source);
    const target = await ctx.files.locateNew(destination);
    const operations = [{ type: 'copy' as const, location, target }];
    if (dryRun) return text(...(await previewEdits([], ctx, call, operations)));
    const { textDocuments, notebookDocuments } = ctx.vscode.workspace;
    const isUnsaved = [...textDocuments, ...notebookDocuments].some(
      ({ uri, isDirty }) => isDirty && uri.toString() === location.uri.toString(),
    );
    const note = isUnsaved ? `The unsaved text of ${location.path} is not in the copy.` : undefined;
    return text((await makeEdits([], { operations }, ctx, call)).join('\n'), note);
  },
});
