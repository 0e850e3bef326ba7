import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { within } from '../../util/deadline.ts';
import type { Locator } from '../read/location.ts';
import { type Applied, takeBack, withLeft } from './applyAll.ts';
import { isOnDisk } from './checkEdited.ts';
import type { Edited } from './fileEdit.ts';

/** How long saving may take, in milliseconds: a formatter may have to start first. */
const SAVE_TIME = 30_000;

/** How long VS Code may take for a save of its own, during which it refuses others, in milliseconds. */
const OWN_SAVE_TIME = 5_000;
/** How long it may take to mark a text as changed. */
const MARK_TIME = 1_000;
/** How often both are looked at. */
const PAUSE = 50;

/** Saves what was saved before. If one file cannot be saved, all edits are taken back. @throws UserError then */
export async function saveAll(locator: Locator, applied: readonly Applied[]): Promise<Edited['saved'][]> {
  const states: Edited['saved'][] = [];
  for (const one of applied) {
    try {
      states.push(await save(locator, one));
    } catch (error) {
      const left = await takeBack(locator.vscode, applied, one);
      const isBack = left.length === 0 && error instanceof UserError;
      throw isBack
        ? new UserError(`${error.message} The edit was taken back.`)
        : withLeft(error as Error, left);
    }
  }
  return states;
}

/** @throws UserError if VS Code cannot save it */
async function save(locator: Locator, one: Applied): Promise<Edited['saved']> {
  const { edited, location, change, isTheirs } = one;
  // What the user has typed since is theirs to save.
  if (isTheirs || (edited.isDirty && withLf(edited.getText()) !== change.after)) return 'theirs';
  await requireWritable(locator, one);
  const saved = await within(edited.save(), SAVE_TIME, 'still saving' as const);
  if (saved === 'still saving') return saved;
  if (!saved && !(await comesTrue(() => !edited.isDirty, OWN_SAVE_TIME)))
    // `files.autoSave` may have been before us
    throw new UserError(
      `VS Code could not save ${location.path}: it may be read-only, or have changed on the disk at that moment.`,
    );
  one.savedText = withLf(edited.getText());
  return 'saved';
}

/** VS Code edits the text of a file that it holds read-only, but it neither marks nor saves it. @throws UserError then */
async function requireWritable(locator: Locator, { edited, location }: Applied): Promise<void> {
  if (edited.isDirty || location.uri.scheme !== 'file' || (await isOnDisk(locator, location, edited))) return;
  if (await comesTrue(() => edited.isDirty, MARK_TIME)) return;
  if (await isOnDisk(locator, location, edited)) return;
  throw new UserError(
    `VS Code holds ${location.path} read-only (settings files.readonlyInclude and files.readonlyFromPermissions).`,
  );
}

/** Not by the clock: where the extension host stands still for seconds, what it would hear comes after that. */
async function comesTrue(isSo: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms && !isSo(); waited += PAUSE) await delay(PAUSE);
  return isSo();
}
