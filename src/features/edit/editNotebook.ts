import * as z from 'zod';
import { cutText } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import * as args from '../arguments.ts';
import { checksWithin, problemsAfter } from '../language/problemChanges.ts';
import { defineEditTool, text } from '../tool.ts';
import { SOON } from './editChecks.ts';
import { dryRun } from './makeEdits.ts';
import { notesOn, stateOf } from './savedText.ts';

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
    const { edits: files } = ctx.files;
    const preview = await files.previewCells(location, named, call); // also loads the notebook, so that its problems are known
    if (dryRun) {
      const diff = unifiedDiff(visible(location.path), preview.before, preview.after);
      return text(
        cutText(diff ?? 'The edits apply, but change too many lines for a diff.', args.DEFAULT_CHARACTERS),
      );
    }
    const before = checksWithin(SOON, [location], ctx, call.signal);
    const saved = await files.makeCells(location, named, call, { asked: () => before });
    const problems = await problemsAfter(await before, [location], ctx, call.signal);
    return text([stateOf(saved), ...notesOn(saved), ...problems].join('\n'));
  },
});
