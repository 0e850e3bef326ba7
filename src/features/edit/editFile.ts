import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { cutText } from '../../core/text/cutText.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { applyReplacements, type Replacement, ReplacementError } from '../../core/text/replacements.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { Edited } from '../../workspace/edit/fileEdit.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import { problemsAfterEdit } from '../language/problemsAfterEdit.ts';
import { defineTool, text } from '../tool.ts';

const STATES = {
  saved: 'saved',
  theirs: 'not saved: the file has other unsaved changes, which the user will save',
  'still saving': 'still being saved by VS Code',
} as const;

/** Exact replacements in one file. */
export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file in VS Code',
  description:
    'Replaces text in a file in VS Code, all edits or none, as one undo step that the user approves. Use it for files the user has open: their unsaved text is kept. Returns its version, whether it is saved, and new problems.',
  group: 'edit',
  operation: 'edit',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  hints: { search: 'edit file in the VS Code editor, approved by the user' },
  input: z.strictObject({
    path: args.path,
    edits: z
      .array(
        z.strictObject({
          oldText: z.string().describe('Exact text, found once; empty only if the file is'),
          newText: z.string(),
        }),
      )
      .min(1)
      .max(200)
      .describe('Applied in order'),
    dryRun: z.boolean().default(false).describe('Only show the diff'),
    expectedVersion: z.int().optional().describe('Refuse if the version differs'),
  }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ path, edits, dryRun, expectedVersion }, ctx, call) {
    const location = await ctx.files.locate(path);
    const plan = (before: string) => planned(before, edits, location);
    if (dryRun) {
      const { before, after } = await ctx.files.preview(location, { plan, expectedVersion }, call);
      return text(...diffOf(location, before, after));
    }
    const [edited] = await ctx.files.edit([{ location, plan, expectedVersion }], call);
    if (!edited) throw new Error('an edit of one file has one result');
    const { version, saved, ...more } = edited;
    const counted = `${edits.length} replacement${edits.length === 1 ? '' : 's'}`;
    const done = `${visible(location.path)}: ${counted}, version ${version}, ${STATES[saved]}.`;
    return text(
      [done, ...notesOn(more), ...(await problemsAfterEdit([location], ctx, call.signal))].join('\n'),
    );
  },
});

const GONE =
  'The file on disk is not what was saved: another program changed it, or a link was in its place. Read it again and tell the user.';

function notesOn({
  changedOnSave,
  madeEndsAlike,
  isGone,
}: Pick<Edited, 'changedOnSave' | 'madeEndsAlike' | 'isGone'>): string[] {
  return [
    ...(changedOnSave ? ['VS Code changed more of the file while saving it. Read it again.'] : []),
    ...(isGone ? [GONE] : []),
    ...(madeEndsAlike ? ['The file had mixed line endings. VS Code made them all the same.'] : []),
  ];
}

function planned(before: string, edits: readonly Replacement[], { path }: Location): string {
  try {
    return applyReplacements(before, edits);
  } catch (error) {
    if (error instanceof ReplacementError)
      throw new UserError(`${visible(path)} is unchanged: ${error.message}`, { lines: true });
    throw error;
  }
}

/** The diff, and a note if it is cut. */
function diffOf({ path }: Location, before: string, after: string): [diff: string, note?: string] {
  const diff = unifiedDiff(visible(path), before, after);
  if (diff === undefined) return [`The edits apply to ${path}, but change too many lines to show as a diff.`];
  if (diff.length <= args.DEFAULT_CHARACTERS) return [diff];
  const shown = cutText(diff, args.DEFAULT_CHARACTERS);
  const note = `The first ${shown.length} of ${diff.length} characters of the diff. Pass fewer edits to see the rest.`;
  return [shown, note];
}
