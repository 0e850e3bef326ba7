import * as z from 'zod';
import type { FileDiff } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import { cutDiff, dryRun } from '../edit/makeEdits.ts';
import { defineEditTool, text } from '../tool.ts';

const NOTHING = 'There is no unsaved text.';

export const saveFiles = defineEditTool({
  name: 'save_files',
  title: 'Save files in VS Code',
  description:
    "Saves the user's unsaved text in VS Code; the user approves it. Use it before you run something that reads these files.",
  group: 'edit',
  hints: { search: 'save unsaved files' },
  input: z.strictObject({
    paths: z.array(args.path).min(1).max(200).optional().describe('Default: all'),
    dryRun,
  }),
  async run({ paths, dryRun }, { files }, call) {
    const locations = paths
      ? await Promise.all(paths.map((path) => files.locate(path)))
      : await files.edits.unsaved();
    if (dryRun) return text(...(await preview(locations, files)));
    if (locations.length === 0) throw new UserError(NOTHING);
    const outcomes = await files.edits.save(locations, call);
    const lines = outcomes.map(
      ({ path, version, reason }) =>
        `${visible(path)}: ${reason === undefined ? `saved, version ${version}.` : `not saved: ${reason}`}`,
    );
    return text(lines.join('\n'));
  },
});

async function preview(locations: readonly Location[], files: Files): Promise<[text: string, note?: string]> {
  const diffs = await files.edits.previewSave(locations);
  const shown = ({ path, before, after }: FileDiff) =>
    unifiedDiff(visible(path), before, after) ?? `${visible(path)}: too many lines differ to show them.`;
  return cutDiff(diffs.map(shown).join('\n') || NOTHING);
}
