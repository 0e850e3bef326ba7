import type { Consent, PlannedAction } from '../../access/consent/types.ts';
import { throwIfCancelled, UserError } from '../../core/messages.ts';
import { clock } from '../../util/clock.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import { tabsToCome } from '../../util/tabs.ts';
import { inParallel } from '../../util/turns.ts';
import type { Location, Locator } from '../read/location.ts';
import { applyAll, type EditResult, finish, record } from './applyAll.ts';
import type { EditAccess, EditingCall, FileEdit } from './fileEdit.ts';
import { type NewPath, type Operation, placesOf } from './operations/operation.ts';
import { listOf, type PlannedOperation, planOperations } from './operations/plannedOperation.ts';
import {
  askUntilDone,
  fileDiff,
  type PlannedEdit,
  planAgain,
  planEdit,
  requireVersion,
  shownDiffs,
} from './plannedEdit.ts';

/** Files that are loaded at once: VS Code closes the first ones while it opens more than 50. */
const AT_ONCE = 8;

/**
 * Minimum tries, and milliseconds, while the text keeps changing: the user may be typing in the same file. In a slow or remote
 * window a try takes longer than typing a character.
 */
const TRIES = 20;
const TYPING_TIME = 20_000;

/** What a call is to change, planned on the texts and files of this moment. */
interface Plans {
  edits: PlannedEdit[];
  operations: PlannedOperation[];
}

/**
 * Edits files in the editor, and creates, moves, copies and deletes files: all or nothing, after the user approved all of it in one
 * question. Each text is one undo step. Saved files are saved again; the user's unsaved text stays unsaved. The user approves
 * exactly the changes they saw: if a change differs meanwhile, they are asked again.
 *
 * @param edits each of a different file, which no operation touches but a move; those that change nothing are left out
 * @throws UserError if the user denies it, a text no longer matches its plan, or an operation fails; CancelledError
 */
export async function editFiles(
  access: EditAccess,
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  call: EditingCall,
): Promise<EditResult> {
  const planned = await planAll(access, edits, operations);
  const shown = {
    ...planned,
    edits: planned.edits.filter(({ change }) => change.before !== change.after),
  };
  const changing = shown.edits.map(({ edit }) => edit);
  if (shown.edits.length + operations.length === 0) {
    if (call.undoes !== undefined) record(access, [], call);
    throw nothingChanges(edits, call);
  }
  for (const one of shown.edits) requireExpected(one, one.edit.plannedOn);
  const keys = keysOf(shown);
  return askUntilDone<Plans, EditResult>(shown, {
    ...{ vscode: access.vscode, call },
    plan: (last) => planAll(access, changing, operations, last),
    actionOf: (plans) => actionOf(access, plans),
    urisOf: (plans) => plans.edits.map(({ document }) => document.uri),
    attempt: (plans, consent) =>
      access.turns.takeAll(keys, () => attempt(access, changing, operations, plans, consent, call)),
  });
}

const nothingChanges = (edits: readonly FileEdit[], { undoes }: EditingCall): UserError =>
  new UserError(
    undoes === undefined
      ? `Nothing would change in ${edits.map(({ location }) => location.path).join(', ')}.`
      : `Edit ${undoes} was taken back already, in VS Code or by another edit. Nothing was changed.`,
  );

/**
 * @param last plans that stand as far as nothing has changed since
 * @param consent what the user has said to them
 */
async function planAll(
  access: EditAccess,
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  last?: Plans,
  consent?: Consent,
): Promise<Plans> {
  const entries = [...edits.entries()];
  const plan = ([index, edit]: [number, FileEdit]) => {
    const known = last?.edits[index];
    return known ? planAgain(access, known, consent === 'shown') : planEdit(access, edit);
  };
  return {
    edits: await inParallel(entries, AT_ONCE, plan),
    operations: operations.length > 0 ? await planOperations(access, operations) : [],
  };
}

function actionOf(locator: Locator, { edits, operations }: Plans): PlannedAction {
  const texts = edits.map((one) => fileDiff(locator, one.edit.location, { ...one, uri: one.document.uri }));
  const diffs = shownDiffs(texts, operations);
  const deletes = operations.filter(({ operation }) => operation.type === 'delete').length;
  return {
    kind: deletes > 0 ? 'delete' : 'edit',
    ...(deletes > 0 && deletes < diffs.length && { also: 'edit' }),
    subject: diffs[0]?.path ?? '',
    diffs,
  };
}

/** Of all calls that make files or folders: each has to see what the others have made, which may be parts of a Git directory. */
export const MAKING = 'making';

/** Sorted, so that two calls with the same files cannot deadlock. @throws UserError if a file occurs twice */
function keysOf({ edits, operations }: Plans): string[] {
  const keyOf = ({ realPath, uri }: Location | NewPath) => realPath ?? uri.toString();
  const all = operations.map(({ operation }) => operation);
  const moved = new Set(all.flatMap((one) => (one.type === 'move' ? [keyOf(one.location)] : [])));
  const places = [
    ...edits.map(({ location }) => location).filter((one) => !moved.has(keyOf(one))),
    ...all.flatMap(placesOf),
  ];
  const keys = new Set<string>();
  for (const place of places) {
    const key = keyOf(place);
    if (keys.has(key))
      throw new UserError(`${place.path} is named twice. Name it once, with all its changes.`);
    keys.add(key);
  }
  return [...keys, ...(operations.length > 0 ? [MAKING] : [])].sort();
}

/** What was done, or changes that the user must approve first. */
async function attempt(
  access: EditAccess,
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  shown: Plans,
  consent: Consent,
  call: EditingCall,
): Promise<{ done: EditResult } | { changed: Plans }> {
  const until = clock.now() + TYPING_TIME;
  for (let tries = 0; tries < TRIES || clock.now() < until; tries++) {
    throwIfCancelled(call.signal);
    // Minutes may have passed: access rules may have changed, and VS Code closes documents that no tab shows.
    const now = await planAll(access, edits, operations, shown, consent);
    const isSame =
      now.edits.every((one, index) => isAsShown(shown.edits[index], one)) &&
      now.operations.every((one, index) => isSameOperation(shown.operations[index], one));
    const isApproved = call.isApproved(actionOf(access, now));
    if (consent === 'shown' ? !isSame : !isApproved) return { changed: now };
    const uris = now.edits.map(({ document }) => document.uri);
    const closeTabs = tabsToCome(access.vscode, uris);
    const applied = await applyAll(access.vscode, now.edits, call.signal);
    if (!applied) continue;
    return { done: await finish(access, applied, now.operations, call).finally(closeTabs) };
  }
  const names = edits.map(({ location }) => location.path).join(', ');
  throw new UserError(
    `VS Code did not apply the edit to ${names}: its text keeps changing. Try again later.`,
  );
}

/** @throws UserError if it has another version than the agent expects */
function isAsShown(shown: PlannedEdit | undefined, now: PlannedEdit): boolean {
  if (shown?.change === now.change) return true;
  if (shown && shown.change.before !== now.change.before) requireExpected(now);
  return shown !== undefined && isSameChange(shown.change, now.change);
}

const requireExpected = ({ edit, version, change }: PlannedEdit, plannedOn?: number): void =>
  requireVersion(edit.location, version, edit.expectedVersion ?? plannedOn, () =>
    edit.changes?.(change.before),
  );

const isSameOperation = (shown: PlannedOperation | undefined, now: PlannedOperation): boolean =>
  shown?.diff.before === now.diff.before &&
  shown.diff.after === now.diff.after &&
  !shown.diff.guard === !now.diff.guard &&
  listOf(shown.entries) === listOf(now.entries);
