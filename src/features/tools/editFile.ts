import { createTwoFilesPatch } from 'diff';
import * as z from 'zod';
import type { Location } from '../../access/locate.ts';
import { applyReplacements, ReplacementError, withLf } from '../../core/replacements.ts';
import { UserError } from '../../protocol/errors.ts';
import { type Context, defineTool, text } from '../define.ts';
import { problemLine, problemsOf } from '../problems.ts';

/** Problems that are named after an edit. */
const MOST_PROBLEMS = 20;

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
    path: z.string().min(1).describe('Absolute, a file: URI, or relative to a workspace folder'),
    edits: z
      .array(
        z.strictObject({
          oldText: z.string().describe('Text to replace, exactly as it is in the file'),
          newText: z.string().describe('Text to put there'),
        }),
      )
      .min(1)
      .max(500)
      .describe('Applied one after the other'),
    dryRun: z.boolean().default(false).describe('Show the diff only'),
    expectedVersion: z.int().optional().describe('Refuse when the document has another version'),
  }),
  async run({ path, edits, dryRun, expectedVersion }, ctx, { signal }) {
    const location = await ctx.files.locate(path);
    const plan = (before: string) => planned(before, edits, location);
    if (dryRun) return text(await previewed(location, plan, ctx));
    const { version, saved } = await ctx.files.edit(location, {
      tool: 'edit_file',
      plan,
      expectedVersion,
      signal,
    });
    const state = saved ? 'saved' : 'not saved: it had unsaved text of the person, who will save it';
    const counted = `${edits.length} replacement${edits.length === 1 ? '' : 's'}`;
    return text(
      [
        `${location.path}: ${counted}, version ${version}, ${state}.`,
        ...(await problems(location, ctx, signal)),
      ].join('\n'),
    );
  },
});

function planned(before: string, edits: { oldText: string; newText: string }[], { path }: Location): string {
  try {
    return applyReplacements(before, edits);
  } catch (error) {
    if (error instanceof ReplacementError) throw new UserError(`${path} is unchanged: ${error.message}`);
    throw error;
  }
}

async function previewed(
  location: Location,
  plan: (before: string) => string,
  { files }: Context,
): Promise<string> {
  const content = await files.read(location);
  if (content.kind !== 'text') throw new UserError(`${location.path} is no text file.`);
  const before = withLf(content.text);
  return createTwoFilesPatch(location.path, location.path, before, plan(before), 'before', 'after');
}

/** The edit has been done: what the language server makes of it may fail without undoing that. */
async function problems(
  location: Location,
  { diagnostics, files, log }: Context,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const { diagnostics: found, settled } = await diagnostics.of(location, files, signal);
    const lines = problemsOf(found).map(problemLine);
    const more =
      lines.length > MOST_PROBLEMS ? [`  ${lines.length - MOST_PROBLEMS} more: get_diagnostics`] : [];
    const unsettled = settled ? [] : ['The language server is still at work: ask get_diagnostics again.'];
    return lines.length === 0
      ? ['No problems.', ...unsettled]
      : ['Problems:', ...lines.slice(0, MOST_PROBLEMS), ...more, ...unsettled];
  } catch (error) {
    log.warn(`the problems after an edit are not known: ${(error as Error).message}`);
    return ['What the language server says of it is not known: ask get_diagnostics.'];
  }
}
