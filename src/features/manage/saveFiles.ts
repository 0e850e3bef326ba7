import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import * as args from '../arguments.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';

/** Saves the user's unsaved text. */
export const saveFiles = defineTool({
  name: 'save_files',
  title: 'Save files in VS Code',
  description:
    "Saves the user's unsaved text in VS Code, in these files or all; the user sees what changes on the disk, and approves it. Use it before you run something that reads files with unsaved text.",
  group: 'edit',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  hints: { search: 'save unsaved editors' },
  input: z.strictObject({ paths: z.array(args.path).min(1).max(200).optional().describe('Default: all') }),
  async run({ paths }, { files }, call) {
    const locations = paths
      ? await Promise.all(paths.map((path) => files.locate(path)))
      : await files.unsaved();
    if (locations.length === 0) throw new UserError('There is no unsaved text. Nothing was saved.');
    const outcomes = await files.save(locations, call);
    const lines = outcomes.map(
      ({ path, version, reason }) =>
        `${visible(path)}: ${reason === undefined ? `saved, version ${version}.` : `not saved: ${reason}`}`,
    );
    return text(lines.join('\n'));
  },
});
