import type * as vscode from 'vscode';
import { ifUserError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { delay, withDeadline, within } from '../../util/clock.ts';
import { type DiskFile, readDisk } from '../read/diskFile.ts';
import { locateUri } from '../read/locateUri.ts';
import { type Location, type Locator, openDocument } from '../read/location.ts';
import { decode, isSameText } from '../read/readContent.ts';
import type { Saved, TextChange } from './request.ts';

/** How long saving may take, in milliseconds: a formatter may have to start first. */
const SAVE_TIME = 30_000;

/** How long VS Code's own save may take, in milliseconds; meanwhile it rejects others. */
const OWN_SAVE_TIME = 5_000;
/** How long VS Code may take to mark a text as changed, in milliseconds. */
const MARK_TIME = 1_000;
/** How often both are checked, in milliseconds. */
const PAUSE = 50;

/** What became of a text that was to be saved. */
interface Saving {
  saved: Saved['saved'];
  /** The path no longer has the saved text. */
  isGone?: boolean;
  /** Its path leads to something that is closed to the agent. Nothing can prevent that, only report it. */
  elsewhere?: UserError;
}

/** A text that VS Code has changed. */
export interface Applied {
  location: Location;
  /** Where its file is since it was moved by the same call. */
  moved?: Location;
  change: TextChange;
  /** It has unsaved text or no file, so the user saves it. */
  isTheirs: boolean;
  /** The document that has the new text. */
  edited: vscode.TextDocument;
  /** The text right after VS Code saved it, perhaps formatted. With `\n` between the lines. */
  savedText?: string;
  saving?: Saving;
  /** A save of it has begun and not ended: if the edit is rolled back then, VS Code cannot save it. */
  isBeingSaved?: boolean;
}

/** The document of a file. VS Code closes saved ones without a tab: after some minutes, and if more than 50 are loaded. */
export const loaded = async (code: typeof vscode, location: Location): Promise<vscode.TextDocument> =>
  openDocument(code, location) ??
  withDeadline(code.workspace.openTextDocument(location.uri), `opening ${location.path}`);

/** Saves a text, unless it is the user's to save, and sets what became of it. @throws UserError if VS Code cannot save it */
export async function save(locator: Locator, one: Applied): Promise<Saving> {
  one.isBeingSaved = true;
  const { isTheirs, change } = one;
  const location = one.moved ?? one.location;
  if (one.edited.isClosed) one.edited = await loaded(locator.vscode, location); // `files.autoSave` was first
  const { edited } = one;
  // If the user typed meanwhile, they decide when to save.
  const isLeft = isTheirs || (edited.isDirty && withLf(edited.getText()) !== change.after);
  const saved = isLeft ? 'theirs' : await saveNow(locator, edited, location);
  if (saved === 'saved') one.savedText = withLf(edited.getText());
  const found = await (saved === 'saved'
    ? lookAtSaved(locator, edited, location)
    : elsewhere(locator, location));
  one.isBeingSaved = false;
  one.saving = { saved, ...found };
  return one.saving;
}

/** @throws UserError */
async function saveNow(
  locator: Locator,
  edited: vscode.TextDocument,
  location: Location,
): Promise<'saved' | 'still saving'> {
  await requireWritable(locator, edited, location);
  const saved = await within(edited.save(), SAVE_TIME, 'still saving' as const);
  if (saved === 'still saving') return saved;
  if (!saved && !(await comesTrue(() => !edited.isDirty, OWN_SAVE_TIME)))
    // `files.autoSave` may have saved it first
    throw new UserError(
      `VS Code could not save ${location.path}: it may be read-only, or have just changed on the disk.`,
    );
  return 'saved';
}

/** VS Code saves by name, and says that it saved a file even if the disk is full. @throws UserError then */
async function lookAtSaved(
  locator: Locator,
  edited: vscode.TextDocument,
  location: Location,
): Promise<Omit<Saving, 'saved'>> {
  if (location.uri.scheme !== 'file' || edited.isDirty) return elsewhere(locator, location);
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  const isThere = file !== undefined && file.realPath === location.realPath;
  if (isThere && (await hasTextOf(locator, location, file, edited))) return {};
  if (file) await requireWhole(locator, edited, location, file);
  return { isGone: true, ...(await elsewhere(locator, location)) };
}

async function elsewhere(locator: Locator, { uri, path }: Location): Promise<Pick<Saving, 'elsewhere'>> {
  try {
    await locateUri(locator, uri.toString());
    return {};
  } catch (error) {
    const { message } = error as Error;
    return {
      elsewhere: new UserError(
        `${path} was edited, but it is no longer the file you asked for: ${message} Tell the user.`,
      ),
    };
  }
}

/** @throws UserError if only the beginning is on the disk */
async function requireWhole(
  { vscode: { workspace } }: Locator,
  edited: vscode.TextDocument,
  { path }: Location,
  { bytes }: DiskFile,
): Promise<void> {
  const encoded = workspace.encode(edited.getText(), { encoding: edited.encoding });
  const whole = Buffer.from(await withDeadline(encoded, `encoding ${path}`));
  if (bytes.length >= whole.length || !whole.subarray(0, bytes.length).equals(bytes)) return;
  throw new UserError(
    `${path} is not saved whole: the disk may be full. The text is in the editor, unsaved; ask the user to make room and save it.`,
  );
}

/** False if it is not decoded. */
async function hasTextOf(
  locator: Locator,
  location: Location,
  { bytes }: DiskFile,
  document: vscode.TextDocument,
): Promise<boolean> {
  const text = await decode(locator, location, bytes, document.encoding).catch(ifUserError(undefined));
  return text !== undefined && isSameText(document, text);
}

/** Whether the file has the text of its document; false if it cannot be read. */
async function isOnDisk(locator: Locator, location: Location, document: vscode.TextDocument) {
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  return file !== undefined && hasTextOf(locator, location, file, document);
}

/** VS Code lets extensions edit a read-only file, but neither marks nor saves it. @throws UserError then */
async function requireWritable(locator: Locator, edited: vscode.TextDocument, location: Location) {
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
