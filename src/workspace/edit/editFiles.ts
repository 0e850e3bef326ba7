import type { Approver, Consent } from '../../access/consent/types.ts';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Turns } from '../../util/keyedQueue.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import type { Location, Locator } from '../read/location.ts';
import { type Applied, applyAll, takeBack, withLeft } from './applyAll.ts';
import { checkEdited } from './checkEdited.ts';
import type { Edited, FileEdit } from './fileEdit.ts';
import type { AgentEdit, Deed } from './journal.ts';
import type { Editable } from './openEditable.ts';
import { actionOf, type PlannedEdit, planEdit, requireVersion } from './plannedEdit.ts';
import { saveAll } from './saveAll.ts';

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
  record(deeds: readonly Deed[]): AgentEdit;
}

/** The call that edits. */
export interface EditingCall extends Approver {
  /** Name of the tool. */
  tool: string;
  signal: AbortSignal;
  /** Judges the new texts while they are unsaved: if it rejects, all edits are reverted. */
  verify?(): Promise<void>;
}

/**
 * Minimum tries, and milliseconds, while the text keeps changing: the user may be typing in the same file. In a slow or remote
 * window a try takes longer than typing a character.
 */
const TRIES = 20;
const TYPING_TIME = 20_000;

/**
 * Edits files in the editor, all or none, after the user approved all of them in one question. Each file is one undo step.
 * Saved files are saved again; the user's unsaved text stays unsaved. The user approves exactly the changes they saw: if a
 * change differs meanwhile, they are asked again.
 *
 * @param edits at least one, each of a different file; those that change nothing are left out
 * @throws UserError if the user denies it, or a text no longer matches its plan; CancelledError
 */
export async function editFiles(
  access: EditAccess,
  edits: readonly FileEdit[],
  call: EditingCall,
): Promise<Edited[]> {
  const planned = await planAll(access, edits);
  const differs = ({ change }: PlannedEdit) => change.before !== change.after;
  let shown = planned.filter(differs);
  const changing = edits.filter((_, index) => planned.slice(index, index + 1).some(differs));
  if (shown.length === 0)
    throw new UserError(`Nothing would change in ${edits.map(({ location }) => location.path).join(', ')}.`);
  for (const { edit, version } of shown) requireVersion(edit.location, version, edit.expectedVersion);
  const keys = keysOf(shown);
  for (let again = false; ; again = true) {
    const consent = await call.approve({ ...actionOf(access.locator, shown), ...(again && { again }) });
    const result = await access.turns.takeAll(keys, () => attempt(access, changing, shown, consent, call));
    if ('edited' in result) return result.edited;
    shown = result.changed;
  }
}

const planAll = ({ locator, open }: EditAccess, edits: readonly FileEdit[]): Promise<PlannedEdit[]> =>
  inParallel(edits, AT_ONCE, (edit) => planEdit(locator, edit, open));

/** Sorted, so that two edits of the same files cannot deadlock. @throws UserError if a file occurs twice */
function keysOf(edits: readonly PlannedEdit[]): string[] {
  const keys = new Map<string, string>();
  for (const { document, location, edit } of edits) {
    const key = location.realPath ?? document.uri.toString();
    if (keys.has(key))
      throw new UserError(`${edit.location.path} is named twice. Put all its edits in one entry.`);
    keys.set(key, edit.location.path);
  }
  return [...keys.keys()].sort();
}

/** The edited files, or changes that the user must approve first. */
async function attempt(
  access: EditAccess,
  edits: readonly FileEdit[],
  shown: readonly PlannedEdit[],
  consent: Consent,
  call: EditingCall,
): Promise<{ edited: Edited[] } | { changed: PlannedEdit[] }> {
  const { locator } = access;
  const until = performance.now() + TYPING_TIME;
  for (let tries = 0; tries < TRIES || performance.now() < until; tries++) {
    throwIfCancelled(call.signal);
    // Minutes may have passed: access rules may have changed, and VS Code closes documents that no tab shows.
    const now = await planAll(access, edits);
    const isSame = now.every((one, index) => isAsShown(shown[index], one));
    const isApproved = call.isApproved(actionOf(locator, now));
    if (consent === 'shown' ? !isSame : !isApproved) return { changed: now };
    const applied = await applyAll(locator.vscode, now, call.signal);
    if (applied) {
      await verify(locator, applied, call);
      return { edited: await saved(access, applied) };
    }
  }
  const names = edits.map(({ location }) => location.path).join(', ');
  throw new UserError(
    `VS Code did not apply the edit to ${names}: its text keeps changing. Try again later.`,
  );
}

/** @throws UserError if the file was replaced, or has another version than the agent expects */
function isAsShown(shown: PlannedEdit | undefined, now: PlannedEdit): boolean {
  const { location, expectedVersion } = now.edit;
  if (location.realPath !== now.location.realPath)
    throw new UserError(
      `${location.path} was replaced after the user was asked. Nothing was edited. Try again.`,
    );
  if (shown && shown.change.before !== now.change.before)
    requireVersion(location, now.version, expectedVersion);
  return shown !== undefined && isSameChange(shown.change, now.change);
}

/** @throws what `call.verify` throws, after the edits are reverted */
async function verify({ vscode }: Locator, applied: readonly Applied[], call: EditingCall): Promise<void> {
  try {
    await call.verify?.();
  } catch (error) {
    throw withLeft(error as Error, await takeBack(vscode, applied));
  }
}

async function saved({ locator, record }: EditAccess, applied: readonly Applied[]): Promise<Edited[]> {
  const states = await saveAll(locator, applied);
  record(
    applied.map(({ edit, edited, change, savedText = change.after }) => ({
      type: 'edit',
      uri: edited.uri,
      path: edit.location.path,
      before: change.before,
      after: savedText,
    })),
  );
  return Promise.all(applied.map((one, index) => checkEdited(locator, one, states[index] ?? 'saved')));
}
