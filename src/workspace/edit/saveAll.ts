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

/** How long VS Code may take for what it does by itself, in milliseconds, and how often that is looked at. */
const OWN_TIME = 5_000;
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
  if (!saved && !(await comesTrue(() => !edited.isDirty)))
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
  if (await comesTrue(() => edited.isDirty)) return;
  if (await isOnDisk(locator, location, edited)) return;
  throw new UserError(
    `VS Code holds ${location.path} read-only (settings files.readonlyInclude and files.readonlyFromPermissions).`,
  );
}

/** Not by the clock: where the extension host stands still for seconds, what it would hear comes after that. */
async function comesTrue(isSo: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < OWN_TIME && !isSo(); waited += PAUSE) await delay(PAUSE);
  return isSo();
}
