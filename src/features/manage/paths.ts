/** Moving, copying and deleting one file or folder. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { importEdits } from '../../services/language/importEdits.ts';
import { importsOf } from '../../services/language/importLines.ts';
import { pathsNaming } from '../../services/language/namingLines.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, type ToolCall, text } from '../tool.ts';

export const movePath = defineEditTool({
  name: 'move_path',
  title: 'Move or copy file or folder in VS Code',
  description:
    'Moves or copies a file or folder, or renames it; the user approves it. Use it instead of mv and cp: open editors and unsaved text go along with a move; imports of TypeScript are updated, of others listed.',
  group: 'edit',
  hints: { search: 'move, rename or copy a file or folder; update imports' },
  input: z.strictObject({
    source: args.path,
    destination: z.string().min(1).describe('New path, in full'),
    copy: z.boolean().default(false).describe('Copy the saved file, do not move'),
    dryRun,
  }),
  async run({ source, destination, copy, dryRun }, ctx, call) {
    const location = await ctx.files.locate(source);
    if (copy) {
      const target = await ctx.files.locateNew(destination);
      const note = noteOnUnsaved(location, ctx);
      return operated({ type: 'copy', location, target }, dryRun, ctx, call, note);
    }
    const target = await ctx.files.locateNew(destination, location);
    const operations = [{ type: 'move' as const, location, target }];
    await ctx.files.edits.previewOperations(operations); // a move that is refused needs no imports
    const { edits, notes, changed } = await importEdits(location, target, ctx, call.signal);
    const noteOnImports = await importsOf(location, target, ctx, call.signal);
    const noteOnPaths = await pathsNaming(location, target, changed, ctx, call.signal);
    const notesOnOthers = async (isMoved: boolean) =>
      [...notes, noteOnPaths(isMoved), await noteOnImports?.(isMoved)] as const;
    if (dryRun) {
      const shown = await previewEdits(edits, ctx, call, operations);
      return text(...shown, ...(await notesOnOthers(false)));
    }
    const lines = await makeEdits({ edits, operations }, ctx, call);
    return text(lines.join('\n'), ...(await notesOnOthers(true)));
  },
});

function noteOnUnsaved({ uri, path }: Location, { vscode: { workspace } }: Context): string | undefined {
  const { textDocuments, notebookDocuments } = workspace;
  const isUnsaved = [...textDocuments, ...notebookDocuments].some(
    (one) => one.isDirty && `${one.uri}` === `${uri}`,
  );
  return isUnsaved ? `The unsaved text of ${path} is not in the copy.` : undefined;
}

export const deletePath = defineEditTool({
  name: 'delete_path',
  title: 'Delete file or folder in VS Code',
  description:
    'Deletes a file, or a folder with all that is in it, to the trash if there is one; the user sees what goes and approves it. Use it instead of rm: undo_edit brings it back.',
  group: 'edit',
  operation: 'delete',
  hints: { search: 'delete or remove a file or folder' },
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
export async function operated(
  operation: Operation,
  dryRun: boolean,
  ctx: Context,
  call: ToolCall,
  note?: string,
): Promise<CallToolResult> {
  if (dryRun) return text(...(await previewEdits([], ctx, call, [operation])));
  return text((await makeEdits({ edits: [], operations: [operation] }, ctx, call)).join('\n'), note);
}
