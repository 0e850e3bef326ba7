import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { counted, cutText } from '../../core/text/cut.ts';
import {
  applyReplacements,
  type Replacement,
  ReplacementError,
  withLf,
} from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import { merge } from '../../workspace/edit/merge.ts';
import type { TextChange } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { CHANGES_TEXT, defineEditTool, defineTool, type ToolCall, text } from '../tool.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from './makeEdits.ts';

const replacements = z
  .array(
    z.strictObject({
      oldText: z.string().describe('Exact text, found once; empty only in an empty file'),
      newText: z.string(),
    }),
  )
  .min(1)
  .max(200)
  .describe('Applied in order');

export const editFile = defineEditTool({
  name: 'edit_file',
  title: 'Edit file in VS Code',
  description:
    'Replaces text in a file in VS Code, all edits or none, as one undo step that the user approves. Use it for all edits: unsaved text of the user is kept. Returns its version, whether it is saved, and new and gone problems.',
  group: 'edit',
  hints: { search: 'edit file in the VS Code editor, approved by the user' },
  input: z.strictObject({
    path: args.path,
    edits: replacements,
    dryRun,
    keepIf,
    expectedVersion: z.int().min(1).optional().describe('Refuse if the version differs'),
  }),
  async run({ path, edits, dryRun, keepIf, expectedVersion }, ctx, call) {
    const location = await ctx.files.locate(path);
    const plan = (before: string) => planned(before, edits, location);
    const edit = { location, plan, did: () => counted(edits.length, 'replacement'), expectedVersion };
    if (dryRun) return text(...(await previewEdits([edit], ctx, call)));
    return text((await makeEdits({ edits: [edit], keepIf }, ctx, call)).join('\n'));
  },
});

/** @throws UserError if a replacement does not fit */
function planned(before: string, edits: readonly Replacement[], { path }: Location): string {
  try {
    return applyReplacements(before, edits);
  } catch (error) {
    if (error instanceof ReplacementError)
      throw new UserError(`${visible(path)} is unchanged: ${error.message}`, { lines: true });
    throw error;
  }
}

export const proposeEdit = defineTool({
  name: 'propose_edit',
  title: 'Propose edit in VS Code',
  description:
    'Shows an edit of a file to the user, who can change it before they accept or discard it; returns what they changed. Use it when they should have the last word on a text.',
  group: 'edit',
  operation: 'edit',
  alsoNeeds: ['read'],
  asksFor: 'edit',
  annotations: CHANGES_TEXT,
  hints: { search: 'propose an edit that the user reviews, changes and accepts' },
  input: z.strictObject({
    path: args.path,
    edits: replacements.optional(),
    newText: z.string().optional().describe('Whole new text, instead of edits'),
    message: z.string().trim().max(200).optional().describe('Why'),
  }),
  async run({ path, edits, newText, message }, ctx, call) {
    if ((edits === undefined) === (newText === undefined))
      throw new UserError('Give either "edits" or "newText".');
    const location = await ctx.files.locate(path);
    await requirePlain(location, ctx, call);
    const plan = (before: string) => withLf(newText ?? planned(before, edits ?? [], location));
    const { before, after } = await ctx.files.edits.preview({ location, plan }, call);
    if (before === after) throw new UserError(`Nothing would change in ${location.path}.`);
    const { uri } = location;
    const decision = await call.propose({ uri, path: location.path, before, after, message });
    if (!decision) return text('The user did not decide in time. Nothing was changed.');
    if ('discarded' in decision) return text('The user discarded the proposal. Nothing was changed.');
    if ('closed' in decision)
      return text('The user closed the proposal without a decision. Nothing was changed.');
    return accepted(location, { before, after, accepted: decision.accepted }, ctx, call);
  },
});

/** @throws UserError for what cannot be shown, or not as text */
async function requirePlain(location: Location, { files }: Context, call: ToolCall): Promise<void> {
  if (location.uri.path.endsWith('.ipynb'))
    throw new UserError(`${location.path} is a notebook. Use edit_notebook.`);
  const content = await files.read(location, call.makeRoom);
  if (content.kind === 'text' && content.isRedacted)
    throw new UserError(`${location.path} has redacted text, so it cannot be proposed whole. Use edit_file.`);
}

/** Applies the accepted text. What the user typed in the file meanwhile is kept. */
async function accepted(
  location: Location,
  texts: TextChange & { accepted: string },
  ctx: Context,
  call: ToolCall,
) {
  const path = visible(location.path);
  const diff = (from: string, to: string) => {
    const { redactor } = ctx.files;
    const changed = unifiedDiff(path, from, to);
    const shown = changed === undefined ? to : changed;
    return cutText(redactor.text(shown, location.path), args.DEFAULT_CHARACTERS);
  };
  const head =
    texts.accepted === texts.after
      ? 'The user accepted the edit as proposed.'
      : `The user accepted the edit with changes. From the proposed to the accepted text:\n${diff(texts.after, texts.accepted)}`;
  if (texts.accepted === texts.before)
    return text(`${head}\nThat is the text of the file: nothing was changed.`);
  const plan = (now: string) => {
    const merged = merge(texts.before, now, texts.accepted);
    if (merged.conflicts.length > 0)
      throw new UserError(
        `${location.path} is unchanged: it changed at the same lines while the user decided. Propose it again.`,
      );
    return merged.text;
  };
  try {
    const edit = { location, plan, did: () => 'proposal applied' };
    const lines = await makeEdits({ edits: [edit] }, ctx, call);
    return text([head, ...lines].join('\n'));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const kept = `${error.message}\nThe user had accepted this edit:\n${diff(texts.before, texts.accepted)}`;
    return { ...text(kept), isError: true };
  }
}
