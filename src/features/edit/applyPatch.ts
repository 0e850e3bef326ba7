import * as z from 'zod';
import { combined } from '../../core/patch/combined.ts';
import { parsePatch } from '../../core/patch/parsePatch.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from './makeEdits.ts';
import { PatchPlan } from './patchPlan.ts';

/** A patch of any number of files. */
export const applyPatch = defineTool({
  name: 'apply_patch',
  title: 'Apply patch in VS Code',
  description:
    'Applies a patch to files as the user has them in VS Code, unsaved text included; creates, renames and deletes files. All or nothing; the user approves it. Use it for edits in several files.',
  group: 'edit',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  hints: { search: 'unified diff, git apply, several files' },
  input: z.strictObject({
    patch: z.string().describe('Unified diff, or "*** Begin Patch" to "*** End Patch"'),
    dryRun,
    keepIf,
  }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ patch, dryRun, keepIf }, ctx, call) {
    const plan = await PatchPlan.make(combined(parsePatch(patch)), ctx, call);
    const { edits, operations } = plan;
    if (dryRun) {
      const [diff, note] = await previewEdits(edits, ctx, call, operations);
      return text(diff, note, ...plan.notes());
    }
    const did = (index: number) => plan.did(index);
    const approve: typeof call.approve = async (action) => {
      const consent = await call.approve(action);
      await plan.requireSame();
      return consent;
    };
    const lines = await makeEdits(edits, { keepIf, did, operations }, ctx, { ...call, approve });
    return text([...lines, ...plan.notes(operations)].join('\n'));
  },
});
