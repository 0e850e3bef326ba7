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

/** How much of a diff is shown, in UTF-16 units. */
const MOST_DIFF = 100_000;

const STATES = {
  saved: 'saved',
  theirs: 'not saved: it has unsaved text besides, which the person will save',
  'still saving': 'which VS Code is still saving',
} as const;

/** Exact replacements in one file. */
export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces exact pieces of text in a file, all or none, in the live editor: the person can undo it as one step, and their unsaved text stays theirs. Each oldText has to be in the file exactly once. Answers with the new version, whether it is saved, and the problems that the language server then reports. With dryRun it shows the diff and changes nothing.',
  group: 'edit',
  operation: 'edit',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    path: args.path,
    edits: z
      .array(
        z.strictObject({
          oldText: z
            .string()
            .describe('Text to replace, exactly as it is in the file; empty only for an empty file'),
          newText: z.string().describe('Text to put there'),
        }),
      )
      .min(1)
      .max(200)
      .describe('Applied one after the other'),
    dryRun: z.boolean().default(false).describe('Show the diff only'),
    expectedVersion: z.int().optional().describe('Refuse when the document has another version'),
  }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ path, edits, dryRun, expectedVersion }, ctx, call) {
    const location = await ctx.files.locate(path);
    const plan = (before: string) => planned(before, edits, location);
    if (dryRun) {
      const { before, after } = await ctx.files.preview(location, { plan, expectedVersion });
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
  'What lies there now is not what was saved: another program has changed it since, or a link was in its place. Read it again, and tell the person.';

function notesOn({
  changedOnSave,
  madeEndsAlike,
  isGone,
}: Pick<Edited, 'changedOnSave' | 'madeEndsAlike' | 'isGone'>): string[] {
  return [
    ...(changedOnSave ? ['On saving VS Code has changed more of it: read it again.'] : []),
    ...(isGone ? [GONE] : []),
    ...(madeEndsAlike ? ['Its lines did not all end alike: VS Code has given them the same line end.'] : []),
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

/** The diff, and a note where it is not all of it. */
function diffOf({ path }: Location, before: string, after: string): [diff: string, note?: string] {
  const diff = unifiedDiff(visible(path), before, after);
  if (diff === undefined)
    return [`The edits fit ${path}, but they change too many lines to show them as a diff.`];
  if (diff.length <= MOST_DIFF) return [diff];
  return [
    cutText(diff, MOST_DIFF),
    `The diff has ${diff.length} characters; the first ${MOST_DIFF} are shown.`,
  ];
}
