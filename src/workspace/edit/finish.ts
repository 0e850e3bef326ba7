import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { locateUri } from '../read/locateUri.ts';
import type { Locator } from '../read/location.ts';
import { type Applied, loaded, takeBack, withLeft } from './applyAll.ts';
import type { EditAccess, Edited, EditingCall } from './fileEdit.ts';
import { type Deed, movedUri } from './journal.ts';
import { type Performed, perform } from './operations/operate.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';
import { type Saving, saveAll } from './saveAll.ts';

/** What was done. */
export interface EditResult {
  /** Of each edit that changed something, in the order of the edits. */
  edited: Edited[];
  operated: Performed[];
}

/**
 * Does the operations, saves the edited texts, and deletes last: all or nothing.
 *
 * @throws what `verify` throws, or UserError; everything is taken back then, unless a path leads elsewhere after all was done
 */
export async function finish(
  access: EditAccess,
  applied: readonly Applied[],
  operations: readonly PlannedOperation[],
  call: EditingCall,
): Promise<EditResult> {
  const { vscode } = access;
  const operated: Performed[] = [];
  const failed: { save?: Applied } = {};
  let isRefused = false; // its error says all
  let savings: readonly Saving[] = [];
  const isDeletion = ({ operation }: PlannedOperation) => operation.type === 'delete';
  try {
    for (const one of operations.filter((one) => !isDeletion(one))) operated.push(await perform(vscode, one));
    await relocate(access, applied, operated);
    isRefused = true;
    await call.verify?.();
    isRefused = false;
    savings = await saveAll(access, applied, failed);
    for (const one of operations.filter(isDeletion)) operated.push(await perform(vscode, one));
    record(access, [...applied.map(deedOf), ...operated.map(({ deed }) => deed)], call);
  } catch (error) {
    const left = [...(await undone(operated)), ...(await takeBack(vscode, applied, failed.save))];
    if (left.length > 0 || isRefused || !(error instanceof UserError)) throw withLeft(error as Error, left);
    throw new UserError(`${error.message} The edit was reverted.`, { lines: true });
  } finally {
    if (operations.length > 0) access.inputs.filesChanged();
  }
  return { operated, edited: applied.map((one, index) => editedOf(one, savings[index])) };
}

/** @throws UserError if its path now leads elsewhere */
function editedOf(
  { edit, edited, change, isMixed, moved }: Applied,
  { saved = 'theirs', isGone = false, elsewhere }: Partial<Saving> = {},
): Edited {
  if (elsewhere) throw elsewhere;
  return {
    location: moved ?? edit.location,
    version: edited.version,
    saved,
    changedOnSave: saved === 'saved' && withLf(edited.getText()) !== change.after,
    madeEndsAlike: isMixed,
    isGone,
  };
}

/** Texts of moved files are saved where these are now. */
async function relocate(
  locator: Locator,
  applied: readonly Applied[],
  operated: readonly Performed[],
): Promise<void> {
  const moves = operated.map(({ deed }) => deed).filter((deed) => deed.type === 'move');
  for (const one of applied) {
    const { uri } = one.location;
    const now = moves.reduce((at, move) => movedUri(at, move.uri, move.to), uri);
    if (now === uri) continue;
    one.moved = await locateUri(locator, now.toString());
    one.edited = await loaded(locator.vscode, one.moved);
  }
}

/** Remembers what a call changed, or took back. */
export function record(
  { journal, author }: EditAccess,
  deeds: readonly Deed[],
  { tool, undoes }: EditingCall,
): void {
  if (undoes === undefined) journal.add({ author: author(), tool, deeds });
  else journal.remove(undoes);
}

/** In the journal, edits come before moves, and so have the old places. */
const deedOf = ({ edit, edited, moved, location, change, savedText = change.after }: Applied): Deed => ({
  type: 'edit',
  uri: moved ? location.uri : edited.uri,
  path: edit.location.path,
  before: change.before,
  after: savedText,
});

/** Takes operations back, the last one first. @returns those that could not be, each with the reason */
async function undone(operated: readonly Performed[]): Promise<string[]> {
  const left: string[] = [];
  for (const { deed, undo } of operated.toReversed())
    await undo().catch((error: Error) => left.push(`${deed.path} (${error.message})`));
  return left;
}
