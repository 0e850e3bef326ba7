import { UserError } from '../../core/errors.ts';
import type { Locator } from '../read/location.ts';
import { type Applied, takeBack, withLeft } from './applyAll.ts';
import type { Edited } from './fileEdit.ts';
import type { Deed } from './journal.ts';
import { type Performed, perform } from './operations/operate.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';
import { saveAll } from './saveAll.ts';

interface Finishing {
  locator: Locator;
  /** Remembers what was changed. */
  record(deeds: readonly Deed[]): void;
}

interface Finished {
  operated: Performed[];
  /** Of each applied edit. */
  states: Edited['saved'][];
}

/**
 * Does the operations, saves the edited texts, and deletes last: all or nothing.
 *
 * @throws what `verify` throws, or UserError; everything is taken back then
 */
export async function finish(
  { locator, record }: Finishing,
  applied: readonly Applied[],
  operations: readonly PlannedOperation[],
  verify?: () => Promise<void>,
): Promise<Finished> {
  const { vscode } = locator;
  const operated: Performed[] = [];
  const failed: { save?: Applied } = {};
  let isRefused = false; // its error says all
  const isDeletion = ({ operation }: PlannedOperation) => operation.type === 'delete';
  try {
    for (const one of operations.filter((one) => !isDeletion(one))) operated.push(await perform(vscode, one));
    isRefused = true;
    await verify?.();
    isRefused = false;
    const states = await saveAll(locator, applied, failed);
    for (const one of operations.filter(isDeletion)) operated.push(await perform(vscode, one));
    record([...applied.map(deedOf), ...operated.map(({ deed }) => deed)]);
    return { operated, states };
  } catch (error) {
    const left = [...(await undone(operated)), ...(await takeBack(vscode, applied, failed.save))];
    if (left.length > 0 || isRefused || !(error instanceof UserError)) throw withLeft(error as Error, left);
    throw new UserError(`${error.message} The edit was reverted.`, { lines: true });
  } finally {
    if (operations.length > 0) locator.world.filesChanged();
  }
}

const deedOf = ({ edit, edited, change, savedText = change.after }: Applied): Deed => ({
  type: 'edit',
  uri: edited.uri,
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
