import * as z from 'zod';
import { cutText } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import { inParallel } from '../../util/queues.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import type { ToolCall } from '../tool.ts';
import { EditChecks, type KeepIfRequest } from './editChecks.ts';
import { contentDiff } from './folderList.ts';
import { operationText } from './operations.ts';

export const dryRun = z.boolean().default(false).describe('Return only the diff');
export const keepIf = z.enum(['no_new_errors']).optional().describe('Else the edit is undone, and not saved');

const AT_ONCE = 8;
/** A preview of more files shows fewer lines around the changes. */
const FEW = 3;

/**
 * Edits, creates, moves, copies and deletes files, all or nothing, after the user has approved it. Every tool that changes files
 * goes this way, which `workspace/edit/request.ts` describes.
 *
 * @returns lines of text: the files with their versions, and the problems that are new and gone
 * @throws UserError if it is denied, does not fit, or causes new errors that `keepIf` does not allow; NotFoundError, CancelledError
 */
export async function makeEdits(request: KeepIfRequest, ctx: Context, call: ToolCall): Promise<string[]> {
  const checks = new EditChecks(request, ctx, call);
  try {
    return await checks.report(await ctx.files.edits.make(request, call, checks));
  } finally {
    checks.dispose();
  }
}

/** The diffs of edits that are not made, and a note if they are cut. @throws UserError, NotFoundError */
export async function previewEdits(
  edits: readonly TextRequest[],
  ctx: Context,
  call: ToolCall,
  operations: readonly Operation[] = [],
): Promise<[diff: string, note?: string]> {
  const { files } = ctx;
  const diffs = await inParallel(edits, AT_ONCE, async (edit) => {
    const { before, after } = await files.edits.preview(edit, call);
    const path = visible(edit.location.path);
    const diff = unifiedDiff(path, before, after, edits.length > FEW ? 1 : undefined);
    return diff ?? `The edits apply to ${path}, but change too many lines to show as a diff.`;
  });
  for (const [index, shown] of (await files.edits.previewOperations(operations)).entries()) {
    diffs.push(`Not done yet. ${operationText(shown)}`);
    if (shown.before !== shown.after)
      diffs.push(await contentDiff(shown, operations[index], ctx, call.signal));
  }
  return cutDiff(diffs.join('\n'));
}

/** As much as an answer may have, and a note if that is not all. */
export function cutDiff(diff: string): [diff: string, note?: string] {
  if (diff.length <= args.DEFAULT_CHARACTERS) return [diff];
  const shown = cutText(diff, args.DEFAULT_CHARACTERS);
  return [shown, `The first ${shown.length} of ${diff.length} characters of the diff.`];
}
