import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { cutText, UserError, visible } from '../../core/messages.ts';
import { within } from '../../util/clock.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import { inParallel } from '../../util/turns.ts';
import type { Edited, FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import {
  type Checks,
  checkAll,
  checksWithin,
  problemsAfter,
  requireNoNewErrors,
} from '../language/problemChanges.ts';
import type { ToolCall } from '../tool.ts';
import { areReadFromDisk, brokenUsers, judgedUsers, notReadAgain } from './brokenUsers.ts';
import { followOperations, operationText } from './operations.ts';
import { LONG, NONE, SHORT, type Users, usersOf } from './users.ts';

/** How long to wait for the problems before an edit, in milliseconds: without and with keepIf. */
export const SOON = 1_000;
const PATIENCE = 30_000;
/** The same of files that use what changes: an edit a moment ago may have changed their problems. */
const SOON_OF_USERS = 3_000;
/** How long the edit waits for the search for files that use what changes, in milliseconds, without keepIf. */
const SEARCH = 2_000;

export const dryRun = z.boolean().default(false).describe('Return only the diff');
export const keepIf = z.enum(['no_new_errors']).optional().describe('Else the edit is undone, and not saved');

/** What became of an edit that keepIf does not allow. */
const TAKEN_BACK = {
  unsaved: 'The edit was taken back, because of keepIf. Nothing was saved.',
  saved:
    'The edit was taken back, because of keepIf. It was saved for the check, and the old text is saved again.',
};
const NOT_ALL_USERS =
  'The language server did not find all files that use what changes in time, or there are more than can be checked. Try again, or leave keepIf out.';

const UNSAVED =
  'The user has other unsaved text in a file, and the language server reads that file from the disk for others. Leave keepIf out.';

const AT_ONCE = 8;
/** Of more files a preview shows fewer lines around the changes. */
const FEW = 3;

interface Options {
  keepIf?: 'no_new_errors' | undefined;
  /** What was done in a file, such as "3 replacements"; needed for edits. */
  did?(index: number): string;
  /** Done after the edits, deletions last. */
  operations?: readonly Operation[];
  /** Id of the edit that this one takes back. */
  undoes?: number;
  /** What the question has to say beside the changes. */
  asks?: Pick<PlannedAction, 'intent' | 'also' | 'commandLine' | 'arguments'>;
}

/**
 * Edits, creates, moves, copies and deletes files, all or nothing, after the user has approved it. Every tool that changes files
 * goes this way.
 *
 * @returns lines of text: the files with their versions, and the problems that are new and gone
 * @throws UserError if it is denied, does not fit, or causes new errors that `keepIf` does not allow; NotFoundError, CancelledError
 */
export async function makeEdits(
  planned: readonly FileEdit[],
  { keepIf, did = () => '', operations = [], undoes, asks }: Options,
  ctx: Context,
  call: ToolCall,
): Promise<string[]> {
  const edits = planned.map(remembered);
  const locations = edits.map(({ location }) => location);
  const done = new AbortController();
  const signal = AbortSignal.any([call.signal, done.signal]);
  const moved = operations.flatMap((one) => (one.type === 'move' ? [one.location] : []));
  const checksBefore = (files: readonly Location[], ms: number) =>
    checksWithin(keepIf ? PATIENCE : ms, files, ctx, signal);
  const own = checksBefore([...locations, ...moved], SOON);
  /** Known once the change is planned. */
  let using: Promise<Users> = Promise.resolve({ ...NONE, areFound: true, areAll: true });
  let checking: Promise<Checks> = own;
  let checkedStage: 'unsaved' | 'saved' | undefined;
  const lookForUsers = ({ diffs = [] }: PlannedAction) => {
    using = usersOf(edits, operations, diffs, ctx, signal, keepIf ? LONG : SHORT);
    const found = keepIf ? using : within(using, SEARCH, NONE);
    const ofUsers = found.then(({ files }) => checksBefore(files, SOON_OF_USERS));
    checking = Promise.all([own, ofUsers]).then((checks) => new Map(checks.flatMap((one) => [...one])));
  };
  const following = operations.length > 0 ? followOperations(operations, edits, ctx) : undefined;
  const checked = async () => following?.checksWithNew(await checking) ?? checking;
  try {
    const { edited, operated } = await ctx.files.edits.make(edits, operations, {
      ...call,
      ...(undoes !== undefined && { undoes }),
      // The texts change after this.
      approve: async (action) => {
        if (checking === own) lookForUsers(action);
        const [consent] = await Promise.all([call.approve({ ...action, ...asks }), checking]);
        following?.begin();
        return consent;
      },
      ...(keepIf && {
        verify: async (stage) => {
          const { areFound, ...found } = await using;
          const users = judgedUsers(found, await checked());
          const changed = [...locations, ...((await following?.arrived()) ?? []), ...users];
          checkedStage ??= areReadFromDisk(changed, ctx) ? 'saved' : 'unsaved';
          if (stage !== checkedStage) return;
          const unread = operations.length > 0 ? await notReadAgain(users, ctx) : [];
          if (!areFound || unread.length > 0) throw new UserError(`${TAKEN_BACK[stage]} ${NOT_ALL_USERS}`);
          if (stage === 'saved' && locations.some((one) => ctx.files.openDocument(one)?.isDirty))
            throw new UserError(`${TAKEN_BACK[stage]} ${UNSAVED}`);
          // The report on what is edited tells how long one on another file may take.
          await checkAll(locations, ctx, call.signal);
          requireNoNewErrors(await checked(), await checkAll(changed, ctx, call.signal), TAKEN_BACK[stage]);
        },
      }),
    });
    const files = statesOf(edited, (one) => did(locations.indexOf(one.location)));
    const followed = await following?.settled();
    const all = [...edited.map(({ location }) => location), ...(followed?.changed ?? [])];
    const changed = [...new Map(all.map((one) => [one.path, one])).values()];
    const before = await checked();
    const problems = changed.length > 0 ? await problemsAfter(before, changed, ctx, call.signal) : [];
    const broken = await brokenUsers(await using, operations, before, ctx, call.signal);
    const operatedOn = operated.map(({ planned }) => operationText(planned.diff));
    return [...files, ...operatedOn, ...(followed?.lines ?? []), ...problems, ...broken];
  } finally {
    following?.dispose();
    done.abort();
  }
}

/** An edit is planned on the same text for the search for users, for the question and after it. */
function remembered(edit: FileEdit): FileEdit {
  let last: { text: string; after: string | Promise<string> } | undefined;
  const plan = (text: string) => {
    if (last?.text !== text) last = { text, after: edit.plan(text) };
    return last.after;
  };
  return { ...edit, plan };
}

/** The diffs of edits that are not made, and a note if they are cut. @throws UserError, NotFoundError */
export async function previewEdits(
  edits: readonly FileEdit[],
  { files }: Context,
  call: ToolCall,
  operations: readonly Operation[] = [],
): Promise<[diff: string, note?: string]> {
  const diffs = await inParallel(edits, AT_ONCE, async ({ location, ...plan }) => {
    const { before, after } = await files.edits.preview(location, plan, call);
    const path = visible(location.path);
    const diff = unifiedDiff(path, before, after, edits.length > FEW ? 1 : undefined);
    return diff ?? `The edits apply to ${path}, but change too many lines to show as a diff.`;
  });
  for (const shown of await files.edits.previewOperations(operations)) {
    diffs.push(`Not done yet. ${operationText(shown)}`);
    if (shown.before !== shown.after)
      diffs.push(unifiedDiff(visible(shown.path), shown.before, shown.after) ?? '');
  }
  return cutDiff(diffs.join('\n'));
}

/** As much as an answer may have, and a note if that is not all. */
export function cutDiff(diff: string): [diff: string, note?: string] {
  if (diff.length <= args.DEFAULT_CHARACTERS) return [diff];
  const shown = cutText(diff, args.DEFAULT_CHARACTERS);
  return [shown, `The first ${shown.length} of ${diff.length} characters of the diff.`];
}

const STATES = {
  saved: 'saved',
  theirs: 'not saved: the file has other unsaved changes, which the user will save',
  'still saving': 'still being saved by VS Code',
} as const;

export const stateOf = (edited: Edited, did: string): string =>
  `${visible(edited.location.path)}: ${stateInWords(edited, did)}.`;

const stateInWords = ({ version, saved }: Edited, did: string): string =>
  `${did}, version ${version}, ${STATES[saved]}`;

/** Most neighbours with the same state that are told one by one. */
const MOST_ALIKE = 2;

/** A line a file, with notes; of many files in the same state only the paths, under that. */
function statesOf(edited: readonly Edited[], did: (one: Edited) => string): string[] {
  const runs: { state: string; files: Edited[] }[] = [];
  for (const one of edited) {
    const [state, last] = [stateInWords(one, did(one)), runs.at(-1)];
    const isAlike = last?.state === state && [...last.files, one].every((file) => notesOn(file).length === 0);
    if (last && isAlike) last.files.push(one);
    else runs.push({ state, files: [one] });
  }
  return runs.flatMap(({ state, files }) =>
    files.length > MOST_ALIKE
      ? [`Each of these: ${state}:`, ...files.map(({ location }) => visible(location.path))]
      : files.flatMap((one) => [stateOf(one, did(one)), ...notesOn(one)]),
  );
}

const GONE =
  'The file on disk is not what was saved: another program changed it, or a link was in its place. Read it again and tell the user.';

export function notesOn({ changedOnSave, madeEndsAlike, isGone }: Edited): string[] {
  return [
    ...(changedOnSave ? ['VS Code changed more of the file while saving it. Read it again.'] : []),
    ...(isGone ? [GONE] : []),
    ...(madeEndsAlike ? ['The file had mixed line endings. VS Code made them all the same.'] : []),
  ];
}
