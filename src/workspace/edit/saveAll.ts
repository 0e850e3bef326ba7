import { ifUserError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { delay } from '../../util/clock.ts';
import { withDeadline, within } from '../../util/deadline.ts';
import type { Locator } from '../read/location.ts';
import { readDisk } from '../read/readContent.ts';
import { type Applied, loaded } from './applyAll.ts';
import { isOnDisk } from './checkEdited.ts';
import type { Edited } from './fileEdit.ts';

/** How long saving may take, in milliseconds: a formatter may have to start first. */
const SAVE_TIME = 30_000;

/** How long VS Code's own save may take, in milliseconds; meanwhile it rejects others. */
const OWN_SAVE_TIME = 5_000;
/** How long VS Code may take to mark a text as changed, in milliseconds. */
const MARK_TIME = 1_000;
/** How often both are checked, in milliseconds. */
const PAUSE = 50;

/**
 * Saves the files that were saved before.
 *
 * @param failed gets the edit that cannot be saved
 * @throws UserError then: the caller takes all edits back
 */
export async function saveAll(
  locator: Locator,
  applied: readonly Applied[],
  failed: { save?: Applied },
): Promise<Edited['saved'][]> {
  const states: Edited['saved'][] = [];
  for (const one of applied) {
    failed.save = one;
    states.push(await save(locator, one));
  }
  delete failed.save;
  return states;
}

/** A changed document. */
type Savable = Pick<Applied, 'location' | 'change' | 'isTheirs' | 'edited' | 'savedText'>;

/** Saves it and sets `savedText`, unless it is the user's to save. @throws UserError if VS Code cannot save it */
export async function save(locator: Locator, one: Savable): Promise<Edited['saved']> {
  const { location, change, isTheirs } = one;
  if (one.edited.isClosed) one.edited = await loaded(locator.vscode, location); // `files.autoSave` was first
  const { edited } = one;
  // If the user typed meanwhile, they decide when to save.
  if (isTheirs || (edited.isDirty && withLf(edited.getText()) !== change.after)) return 'theirs';
  await requireWritable(locator, one);
  const saved = await within(edited.save(), SAVE_TIME, 'still saving' as const);
  if (saved === 'still saving') return saved;
  if (!saved && !(await comesTrue(() => !edited.isDirty, OWN_SAVE_TIME)))
    // `files.autoSave` may have saved it first
    throw new UserError(
      `VS Code could not save ${location.path}: it may be read-only, or have just changed on the disk.`,
    );
  one.savedText = withLf(edited.getText());
  await requireWhole(locator, one);
  return 'saved';
}

/** VS Code says that it saved a file, even if the disk is full. @throws UserError then */
async function requireWhole(locator: Locator, { edited, location }: Savable): Promise<void> {
  if (location.uri.scheme !== 'file' || (await isOnDisk(locator, location, edited))) return;
  const bytes = await readDisk(locator, location).catch(ifUserError(undefined));
  const { encoding } = edited;
  const encoded = locator.vscode.workspace.encode(edited.getText(), { encoding });
  const whole = Buffer.from(await withDeadline(encoded, `encoding ${location.path}`));
  if (!bytes || bytes.length >= whole.length || !whole.subarray(0, bytes.length).equals(bytes)) return;
  throw new UserError(
    `${location.path} is not saved whole: the disk may be full. The text is in the editor, unsaved; ask the user to make room and save it.`,
  );
}

/** VS Code lets extensions edit a read-only file, but neither marks nor saves it. @throws UserError then */
async function requireWritable(locator: Locator, { edited, location }: Savable): Promise<void> {
  if (edited.isDirty || location.uri.scheme !== 'file' || (await isOnDisk(locator, location, edited))) return;
  if (await comesTrue(() => edited.isDirty, MARK_TIME)) return;
  if (await isOnDisk(locator, location, edited)) return;
  throw new UserError(
    `VS Code holds ${location.path} read-only (settings files.readonlyInclude and files.readonlyFromPermissions).`,
  );
}

/** Counts pauses, not the clock: if the extension host is blocked for seconds, events arrive only afterwards. */
async function comesTrue(isSo: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms && !isSo(); waited += PAUSE) await delay(PAUSE);
  return isSo();
}
