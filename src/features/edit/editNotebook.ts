import * as z from 'zod';
import { counted, cutText, visible } from '../../core/messages.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import * as args from '../arguments.ts';
import { checksWithin, problemsAfter } from '../language/problemChanges.ts';
import { defineEditTool, text } from '../tool.ts';
import { dryRun, notesOn, SOON, stateOf } from './makeEdits.ts';

export const editNotebook = defineEditTool({
  name: 'edit_notebook',
  title: 'Edit notebook in VS Code',
  description:
    'Changes cells of a notebook in VS Code, all edits or none, after the user approves. Use it instead of editing the JSON: outputs and unsaved changes are kept.',
  group: 'edit',
  needs: 'notebooks',
  hints: { search: 'edit cells of a Jupyter notebook' },
  input: z.strictObject({
    path: args.path,
    edits: z
      .array(
        z.strictObject({
          action: z.enum(['insert', 'replace', 'delete', 'move']),
          cell: z.int().optional().describe('Number from 1; insert: default last'),
          id: z.string().min(1).optional().describe('Instead of cell'),
          to: z.int().min(1).optional().describe('New number of a moved cell'),
          kind: z.enum(['code', 'markdown']).optional(),
          language: z.string().min(1).optional(),
          source: z.string().optional(),
        }),
      )
      .min(1)
      .max(200)
      .describe('Applied in order'),
    dryRun,
  }),
  async run({ path, edits, dryRun }, ctx, call) {
    const location = await ctx.files.locate(path);
    const named = edits.map(({ id, ...edit }) => ({ ...edit, cell: id ?? edit.cell }));
    const cellEdits = ctx.files.edits.ofNotebook(location, named);
    const preview = await cellEdits.preview(); // also loads the notebook, so that its problems are known
    if (dryRun) {
      const diff = unifiedDiff(visible(location.path), preview.before, preview.after);
      return text(
        cutText(diff ?? 'The edits apply, but change too many lines for a diff.', args.DEFAULT_CHARACTERS),
      );
    }
    const before = checksWithin(SOON, [location], ctx, call.signal);
    const edited = await cellEdits.make({
      ...call,
      approve: async (action) => (await Promise.all([call.approve(action), before]))[0],
    });
    const problems = await problemsAfter(await before, [location], ctx, call.signal);
    const state = stateOf(edited, counted(edits.length, 'cell edit'));
    return text([state, ...notesOn(edited), ...problems].join('\n'));
  },
});
