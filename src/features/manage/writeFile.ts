import * as z from 'zod';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import { type Location, slashed } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, text } from '../tool.ts';
import { operated } from './paths.ts';

export const writeFile = defineEditTool({
  name: 'write_file',
  title: 'Write file in VS Code',
  description:
    'Creates a file, or an empty folder if the path ends in a slash, and the folders above; the user approves it. Use it for new files; with overwrite or expectedVersion it replaces the whole text of an existing one.',
  group: 'edit',
  alsoNeeds: [], // a new file can be made without
  hints: { search: 'create a file or folder, new file, mkdir, overwrite' },
  input: z.strictObject({
    path: args.path,
    content: z.string().optional().describe('Not for a folder'),
    overwrite: z.boolean().default(false),
    expectedVersion: z.int().min(1).optional(),
    dryRun,
    keepIf,
  }),
  async run({ path, content, overwrite, expectedVersion, dryRun, keepIf }, ctx, call) {
    if (slashed(path).endsWith('/')) {
      if (content) throw new UserError(`"${path}" ends in a slash: a folder, which has no content.`);
      const target = await ctx.files.locateNew(path);
      return operated({ type: 'create_folder', target }, dryRun, ctx, call);
    }
    if (content === undefined)
      throw new UserError('content is missing. For an empty folder, end the path in a slash.');
    const location = await existing(path, ctx);
    if (!location && expectedVersion !== undefined)
      throw new UserError(`There is no file ${path}. Leave out expectedVersion to create it.`);
    if (location && !overwrite && expectedVersion === undefined)
      throw new UserError(
        `${location.path} exists. Pass overwrite: true to replace its text, or use edit_file.`,
      );
    const edits = location ? [wholeEdit(location, content, expectedVersion)] : [];
    const target = location ? undefined : await ctx.files.locateNew(path);
    const operations = target ? [{ type: 'create' as const, target, text: content }] : [];
    if (dryRun) return text(...(await previewEdits(edits, ctx, call, operations)));
    return text((await makeEdits({ edits, operations, keepIf }, ctx, call)).join('\n'));
  },
});

const wholeEdit = (
  location: Location,
  content: string,
  expectedVersion: number | undefined,
): TextRequest => ({
  location,
  plan: () => withLf(content),
  did: () => 'its whole text replaced',
  expectedVersion,
  isWhole: true,
});

/** Undefined if there is none. A file that was just deleted may still be open in VS Code. */
async function existing(path: string, { files }: Context): Promise<Location | undefined> {
  const location = await files.locate(path).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  const isThere = location?.realPath !== undefined || location?.uri.scheme !== 'file';
  return isThere || (location && files.openDocument(location)?.isDirty) ? location : undefined;
}
