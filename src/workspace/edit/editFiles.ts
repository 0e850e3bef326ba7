import type { Approver, Consent, PlannedAction } from '../../access/consent/types.ts';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { clock } from '../../util/clock.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Turns } from '../../util/keyedQueue.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import type { Location, Locator } from '../read/location.ts';
import { type Applied, applyAll } from './applyAll.ts';
import { checkEdited } from './checkEdited.ts';
import type { Edited, FileEdit } from './fileEdit.ts';
import { finish } from './finish.ts';
import type { Deed } from './journal.ts';
import type { Editable } from './openEditable.ts';
import type { Performed } from './operations/operate.ts';
import { type Operation, placesOf } from './operations/operation.ts';
import { listOf, type PlannedOperation, planOperations } from './operations/plannedOperation.ts';
import { diffOf, type PlannedEdit, planEdit, requireVersion } from './plannedEdit.ts';

/** Files that are loaded at once: VS Code closes the first ones while it opens more than 50. */
const AT_ONCE = 8;

/** Dependencies of edits. */
export interface EditAccess {
  locator: Locator;
  /** The document of a text file, loaded if needed. @throws UserError if this agent may not change it */
  open(location: Location): Promise<Editable>;
  /** Shared by all agents: an edit must not mistake another edit's unsaved text for the user's. */
  turns: Turns;
  /** Remembers what was changed. */
  record(deeds: readonly Deed[]): void;
  /** What changed in a file since the agent knew its text; undefined if that is not known. */
  changes(location: Location, text: string): string | undefined;
}

/** The call that edits. */
export interface EditingCall extends Approver {
  /** Name of the tool. */
  tool: string;
  signal: AbortSignal;
  /** Id of the edit that this one takes back. */
  undoes?: number;
  /** Judges the new texts while they are unsaved: if it rejects, all edits are reverted. */
  verify?(): Promise<void>;
}

/**
 * Minimum tries, and milliseconds, while the text keeps changing: the user may be typing in the same file. In a slow or remote
 * window a try takes longer than typing a character.
 */
const TRIES = 20;
const TYPING_TIME = 20_000;

/** What was done. */
export interface EditResult {
  /** Of each edit that changed something, in the order of the edits. */
  edited: Edited[];
  operated: Performed[];
}

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
 * @param edits each of a different file that no operation touches; those that change nothing are left out
 * @throws UserError if the user denies it, a text no longer matches its plan, or an operation fails; CancelledError
 */
export async function editFiles(
  access: EditAccess,
  edits: readonly FileEdit[],
  operations: readonly Operation[],
  call: EditingCall,
): Promise<EditResult> {
  const planned = await planAll(access, edits, operations);
  const differs = ({ change }: PlannedEdit) => change.before !== change.after;
  let shown = { ...planned, edits: planned.edits.filter(differs) };
  const changing = edits.filter((_, index) => planned.edits.slice(index, index + 1).some(differs));
  if (shown.edits.length + operations.length === 0) {
    if (call.undoes !== undefined) access.record([]);
    throw nothingChanges(edits, call);
  }
  for (const one of shown.edits) requireExpected(access, one);
  const keys = keysOf(shown);
  for (let again = false; ; again = true) {
    const consent = await call.approve({ ...actionOf(access.locator, shown), ...(again && { again }) });
    const result = await access.turns.takeAll(keys, () =>
      attempt(access, changing, operations, shown, consent, call),
    );
    if ('done' in result) return result.done;
    shown = result.changed;
  }
}

const nothingChanges = (edits: readonly FileEdit[], { undoes }: EditingCall): UserError =>
  new UserError(
    undoes === undefined
      ? `Nothing would change in ${edits.map(({ location }) => location.path).join(', ')}.`
      : `Edit ${undoes} was taken back already, in VS Code or by another edit. Nothing was changed.`,
  );

async function planAll(
  { locator, open }: EditAccess,
  edits: readonly FileEdit[],
  operations: readonly Operation[],
): Promise<Plans> {
  return {
    edits: await inParallel(edits, AT_ONCE, (edit) => planEdit(locator, edit, open)),
    operations: await planOperations(locator, operations),
  };
}

/** The action that the user is asked to approve. */
function actionOf(locator: Locator, { edits, operations }: Plans): PlannedAction {
  const diffs = [...edits.map((edit) => diffOf(locator, edit)), ...operations.map(({ diff }) => diff)];
  const deletes = operations.filter(({ operation }) => operation.type === 'delete').length;
  return {
    kind: deletes > 0 ? 'delete' : 'edit',
    ...(deletes > 0 && deletes < diffs.length && { also: 'edit' }),
    subject: diffs[0]?.path ?? '',
    ...(diffs.some(({ guard }) => guard) && { everyTime: true }),
    diffs,
  };
}

/** Of all calls that make files or folders: each has to see what the others have made, which may be parts of a Git directory. */
export const MAKING = 'making';

/** Sorted, so that two calls with the same files cannot deadlock. @throws UserError if a file occurs twice */
function keysOf({ edits, operations }: Plans): string[] {
  const places = [
    ...edits.map(({ location, edit }) => ({ ...location, path: edit.location.path })),
    ...operations.flatMap(({ operation }) => placesOf(operation)),
  ];
  const keys = new Map<string, string>();
  for (const { realPath, uri, path } of places) {
    const key = realPath ?? uri.toString();
    if (keys.has(key)) throw new UserError(`${path} is named twice. Name it once, with all its changes.`);
    keys.set(key, path);
  }
  return [...keys.keys(), ...(operations.length > 0 ? [MAKING] : [])].sort();
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
  const { locator } = access;
  const until = clock.now() + TYPING_TIME;
  for (let tries = 0; tries < TRIES || clock.now() < until; tries++) {
    throwIfCancelled(call.signal);
    // Minutes may have passed: access rules may have changed, and VS Code closes documents that no tab shows.
    const now = await planAll(access, edits, operations);
    const isSame =
      now.edits.every((one, index) => isAsShown(access, shown.edits[index], one)) &&
      now.operations.every((one, index) => isSameOperation(shown.operations[index], one));
    const isApproved = call.isApproved(actionOf(locator, now));
    if (consent === 'shown' ? !isSame : !isApproved) return { changed: now };
    const applied = await applyAll(locator.vscode, now.edits, call.signal);
    if (!applied) continue;
    const { states, ...done } = await finish(access, applied, now.operations, call.verify);
    const check = ([index, one]: [number, Applied]) => checkEdited(locator, one, states[index] ?? 'saved');
    return { done: { ...done, edited: await Promise.all([...applied.entries()].map(check)) } };
  }
  const names = edits.map(({ location }) => location.path).join(', ');
  throw new UserError(
    `VS Code did not apply the edit to ${names}: its text keeps changing. Try again later.`,
  );
}

/** @throws UserError if the file was replaced, or has another version than the agent expects */
function isAsShown(access: EditAccess, shown: PlannedEdit | undefined, now: PlannedEdit): boolean {
  const { location } = now.edit;
  if (location.realPath !== now.location.realPath)
    throw new UserError(
      `${location.path} was replaced after the user was asked. Nothing was edited. Try again.`,
    );
  if (shown && shown.change.before !== now.change.before) requireExpected(access, now);
  return shown !== undefined && isSameChange(shown.change, now.change);
}

const requireExpected = ({ changes }: EditAccess, { edit, version, change }: PlannedEdit): void =>
  requireVersion(edit.location, version, edit.expectedVersion, () => changes(edit.location, change.before));

const isSameOperation = (shown: PlannedOperation | undefined, now: PlannedOperation): boolean =>
  shown?.diff.before === now.diff.before &&
  shown.diff.after === now.diff.after &&
  !shown.diff.guard === !now.diff.guard &&
  listOf(shown.entries) === listOf(now.entries);
