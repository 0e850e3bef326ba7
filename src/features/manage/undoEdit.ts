import * as z from 'zod';
import { counted } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { OwnEdit } from '../../workspace/edit/ownEdits.ts';
import type { Request } from '../../workspace/edit/request.ts';
import type { SessionChange } from '../../workspace/edit/sessionChanges.ts';
import { cutDiff, dryRun, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, text } from '../tool.ts';

/** Edits that are listed, and files of each that are named. */
const MOST_EDITS_LISTED = 20;
const MOST_FILES_OF_EDIT = 5;

export const undoEdit = defineEditTool({
  name: 'undo_edit',
  title: 'Undo edit in VS Code',
  description:
    'Takes back your last edit, or one by id, in all its files; the user approves it. Use it if an edit was wrong. Later edits of other lines stay; refused if its own lines changed since.',
  group: 'edit',
  alsoNeeds: [], // the list of edits shows no text
  hints: { search: 'undo or revert an edit; list and diff edits' },
  input: z.strictObject({
    id: z.int().min(1).optional().describe('Default: your last'),
    list: z.boolean().default(false).describe('Return only your edits with ids'),
    diff: z.boolean().default(false).describe('Return what all your edits changed, or one by id'),
    dryRun,
  }),
  onlyLooks: ({ list, diff, dryRun }) => list || diff || dryRun,
  async run({ id, list, diff, dryRun }, ctx, call) {
    const { own } = ctx.files.edits;
    if (list) return text(...listed(own.list()));
    if (diff)
      return text(
        ...cutDiff(
          own.changed(id).map(diffOf).join('\n') || 'Your edits changed nothing that is still known.',
        ),
      );
    const { tool, request } = await ctx.files.edits.requestToUndo(id);
    const left = leftIn(request);
    if (dryRun) {
      const [diff, note] = await previewEdits(request.edits, ctx, call, request.operations);
      return text([...left, diff].join('\n'), note);
    }
    const lines = await makeEdits(request, ctx, call);
    const part = left.length > 0 ? 'a part of ' : '';
    return text([`Took back ${part}edit ${request.undoes} (${tool}).`, ...left, ...lines].join('\n'));
  },
});

/** Lines that say what is not taken back, and why. */
const leftIn = ({ asks: { intent } }: Pick<Required<Request>, 'asks'>): string[] =>
  intent?.type === 'undo' && intent.left ? ['This stays:', ...intent.left] : [];

function diffOf({ path, from, before, after, became }: SessionChange): string {
  const name = visible(path);
  const moved = from !== undefined && `${visible(from)}: moved to ${name}.`;
  const diff = unifiedDiff(name, before, after) ?? `${name}: too many changed lines to show.`;
  return [moved, before === after ? became && `${name}: ${became}.` : diff].filter(Boolean).join('\n');
}

function listed(edits: readonly OwnEdit[]): [text: string, note?: string] {
  if (edits.length === 0) return ['No edits of yours in this session.'];
  const lines = edits.slice(0, MOST_EDITS_LISTED).map(lineOf).join('\n');
  if (edits.length <= MOST_EDITS_LISTED) return [lines];
  return [lines, `The last ${MOST_EDITS_LISTED} of ${edits.length} edits.`];
}

function lineOf({ id, tool, at, paths }: OwnEdit): string {
  const names = paths.slice(0, MOST_FILES_OF_EDIT).map(visible).join(', ');
  const others = paths.length - MOST_FILES_OF_EDIT;
  const more = others > 0 ? ` and ${counted(others, 'more file')}` : '';
  return `${id} ${tool}, ${new Date(at).toISOString().slice(0, 19)}Z: ${names}${more}`;
}
