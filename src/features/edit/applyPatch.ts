import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { applyHunks, type HunkPlace } from '../../core/patch/applyHunks.ts';
import type { Hunk } from '../../core/patch/filePatch.ts';
import { combined, type PathChange, parsePatch } from '../../core/patch/parsePatch.ts';
import { counted } from '../../core/text/cut.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import type { NewPath, Operation } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { defineEditTool, type ToolCall, text } from '../tool.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from './makeEdits.ts';

export const applyPatch = defineEditTool({
  name: 'apply_patch',
  title: 'Apply patch in VS Code',
  description:
    'Applies a patch to files as the user has them in VS Code, unsaved text included; creates, renames and deletes files. All or nothing; the user approves it. Use it for edits in several files.',
  group: 'edit',
  alsoNeeds: [], // a new file can be made without
  hints: { search: 'apply a patch or unified diff to several files' },
  input: z.strictObject({
    patch: z.string().describe('Unified diff, or "*** Begin Patch" to "*** End Patch"'),
    dryRun,
    keepIf,
  }),
  async run({ patch, dryRun, keepIf }, ctx, call) {
    const plan = patchPlan(ctx, call);
    for (const change of combined(parsePatch(patch))) await plan.add(change);
    const { edits, operations } = plan;
    if (dryRun) {
      const [diff, note] = await previewEdits(edits, ctx, call, operations);
      return text(diff, note, ...plan.notes());
    }
    const asks = { intent: { type: 'patch' } } as const;
    const lines = await makeEdits({ edits, operations, keepIf, asks }, ctx, call);
    return text([...lines, ...plan.notes(operations)].join('\n'));
  },
});

/** What a patch does to the files of the workspace. */
function patchPlan({ files }: Context, call: ToolCall) {
  const edits: TextRequest[] = [];
  const operations: Operation[] = [];
  /** Where the hunks were when they were last placed, by the path of the result. */
  const placed = new Map<string, HunkPlace[]>();

  function patched(text: string, steps: readonly Hunk[][], path: string): string {
    const places: HunkPlace[] = [];
    let after = text;
    for (const hunks of steps) {
      const one = applyHunks(after, hunks, path);
      places.push(...one.places);
      after = one.text;
    }
    placed.set(path, places);
    return after;
  }

  function did(path: string): string {
    const places = placed.get(path) ?? [];
    const notes = inexact(places);
    return counted(places.length, 'hunk') + (notes.length > 0 ? ` (${notes.join('; ')})` : '');
  }

  async function textOf(location: Location): Promise<string> {
    const content = await files.read(location, call.makeRoom);
    if (content.kind !== 'text') throw moveFirst(location, 'is not text');
    if (content.isRedacted) throw moveFirst(location, 'has redacted text');
    return content.text;
  }

  async function creationFrom(
    location: Location,
    target: NewPath,
    steps: readonly Hunk[][],
  ): Promise<Operation> {
    if (steps.length === 0) return { type: 'copy', location, target };
    const { encoding } = await files.loadDocument(location);
    if (encoding !== 'utf8') throw moveFirst(location, `is not UTF-8 (${encoding})`);
    const source = await textOf(location);
    const after = patched(withLf(source), steps, target.path);
    const text = source.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after;
    return { type: 'create', target, from: { location, text: source }, text };
  }

  /** A patch that deletes a file lists its whole text. */
  async function requireEmptied(location: Location, plan: (text: string) => string): Promise<void> {
    const { after } = await files.edits.preview({ location, plan }, call);
    if (after === '') return;
    throw new UserError(
      `Nothing was changed: the patch deletes ${location.path}, but the file has more text than the patch removes. Read it again.`,
    );
  }

  return {
    edits,
    operations,

    /** @throws UserError if a file is closed, missing or there already, or a hunk of a renamed file does not fit; NotFoundError */
    async add(change: PathChange): Promise<void> {
      const { type, path, steps } = change;
      if (type === 'create' || type === 'create_from') {
        const target = await files.locateNew(path);
        operations.push(
          type === 'create'
            ? { type, target, text: patched('', steps, target.path) }
            : await creationFrom(await files.locate(change.source), target, steps),
        );
        return;
      }
      const location = await files.locate(path);
      const plan = (text: string) => patched(type === 'replace' ? '' : text, steps, location.path);
      if (type !== 'delete') edits.push({ location, plan, did: () => did(location.path) });
      else {
        operations.push({ type, location });
        if (steps.length > 0) await requireEmptied(location, plan);
      }
    },

    /** About hunks that were not exactly where the patch states. @param of only files that these create */
    notes(of?: readonly Operation[]): string[] {
      const created = of?.flatMap((one) => (one.type === 'create' ? [one.target.path] : []));
      return [...placed]
        .filter(([path, places]) => inexact(places).length > 0 && (created?.includes(path) ?? true))
        .map(([path, places]) => `${visible(path)}: ${inexact(places).join('; ')}.`);
    },
  };
}

const moveFirst = ({ path }: Location, why: string): UserError =>
  new UserError(`Nothing was changed: ${path} ${why}. Move it with move_path, then patch it.`);

/** Most hunks of a file that are told. */
const MOST_TOLD = 20;

/** About the hunks of a file that were not exactly where the patch states. */
function inexact(places: readonly HunkPlace[]): string[] {
  const told = [...places.entries()].flatMap(([index, { at, offset, isLoose }]) => {
    const where =
      offset === undefined || offset === 0
        ? `at line ${at + 1}`
        : `at line ${at + 1}, ${counted(Math.abs(offset), 'line')} ${offset > 0 ? 'below' : 'above'} the stated one`;
    const how = isLoose ? `${where}, with other white space` : where;
    return offset || isLoose ? [`hunk ${index + 1} ${how}`] : [];
  });
  return told.length > MOST_TOLD
    ? [...told.slice(0, MOST_TOLD), `${told.length - MOST_TOLD} more not exactly where stated`]
    : told;
}
