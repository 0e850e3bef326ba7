import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { importEdits } from '../../services/language/importEdits.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { CHANGES_TEXT, defineEditTool, type ToolCall, text } from '../tool.ts';

export const createDirectory = defineEditTool({
  name: 'create_directory',
  title: 'Create folder in VS Code',
  description:
    'Creates an empty folder, and those above it. Use it for folders without files: write_file creates its own.',
  group: 'edit',
  annotations: { ...CHANGES_TEXT, destructiveHint: false },
  input: z.strictObject({ path: args.path, dryRun }),
  async run({ path, dryRun }, ctx, call) {
    const target = await ctx.files.locateNew(path);
    return operated({ type: 'create_folder', target }, dryRun, ctx, call);
  },
});

export const movePath = defineEditTool({
  name: 'move_path',
  title: 'Move file or folder in VS Code',
  description:
    'Moves or renames a file or folder; the user approves it. Use it instead of mv: open editors and unsaved text go along, and imports are updated.',
  group: 'edit',
  hints: { search: 'rename file' },
  input: z.strictObject({ source: args.path, destination: args.newPath, dryRun }),
  async run({ source, destination, dryRun }, ctx, call) {
    const location = await ctx.files.locate(source);
    const target = await ctx.files.locateNew(destination, location);
    const operations = [{ type: 'move' as const, location, target }];
    await ctx.files.edits.previewOperations(operations); // a move that is refused needs no imports
    const { edits, notes } = await importEdits(location, target, ctx, call.signal);
    if (dryRun) return text(...(await previewEdits(edits, ctx, call, operations)), ...notes);
    const did = () => 'imports updated';
    return text((await makeEdits(edits, { did, operations }, ctx, call)).join('\n'), ...notes);
  },
});

export const copyPath = defineEditTool({
  name: 'copy_path',
  title: 'Copy file or folder in VS Code',
  description:
    'Copies a file or folder as it is saved; the user approves it. Use it instead of writing the same text again.',
  group: 'edit',
  annotations: { ...CHANGES_TEXT, destructiveHint: false },
  input: z.strictObject({ source: args.path, destination: args.newPath, dryRun }),
  async run({ source, destination, dryRun }, ctx, call) {
    const location = await ctx.files.locate(source);
    const target = await ctx.files.locateNew(destination);
    const { textDocuments, notebookDocuments } = ctx.vscode.workspace;
    const isUnsaved = [...textDocuments, ...notebookDocuments].some(
      ({ uri, isDirty }) => isDirty && uri.toString() === location.uri.toString(),
    );
    const note = isUnsaved ? `The unsaved text of ${location.path} is not in the copy.` : undefined;
    return operated({ type: 'copy', location, target }, dryRun, ctx, call, note);
  },
});

export const deletePath = defineEditTool({
  name: 'delete_path',
  title: 'Delete file or folder in VS Code',
  description:
    'Deletes a file, or a folder with all that is in it, to the trash if there is one; the user sees what goes and approves it. Use it instead of rm: undo_edit brings it back.',
  group: 'edit',
  operation: 'delete',
  hints: { search: 'remove file' },
  input: z.strictObject({ path: args.path, dryRun }),
  async run({ path, dryRun }, ctx, call) {
    const location = await ctx.files.locate(path);
    return operated({ type: 'delete', location }, dryRun, ctx, call);
  },
});

/**
 * The answer of a tool that does one operation, or only shows it.
 *
 * @param note if it is done
 * @throws UserError, NotFoundError, CancelledError
 */
async function operated(
  operation: Operation,
  dryRun: boolean,
  ctx: Context,
  call: ToolCall,
  note?: string,
): Promise<CallToolResult> {
  if (dryRun) return text(...(await previewEdits([], ctx, call, [operation])));
  return text((await makeEdits([], { operations: [operation] }, ctx, call)).join('\n'), note);
}
