/** Whether VS Code has read what a shell may have just written. */
import { ifUserError } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import { delay } from '../../util/clock.ts';
import { fileStat, readDisk } from './diskFile.ts';
import { type Location, type Locator, openDocument } from './location.ts';
import { decodeUtf8 } from './readContent.ts';

/** Changes on the disk before that have been read, in milliseconds. */
const RECENT = 60_000;
/** How long VS Code may take to read a file that has changed on the disk, and how often it is looked at meanwhile, in milliseconds. */
const NOTICING = 3_000;
const POLL = 50;

/** Waits until VS Code has read what a shell may have just written, but not for ever. */
export async function readAgain(locator: Locator, location: Location): Promise<void> {
  const modifiedAt = (await fileStat(locator.vscode, location.uri))?.modifiedAt.getTime() ?? 0;
  if (Date.now() - modifiedAt > RECENT) return;
  for (let waited = 0; waited < NOTICING && !(await isAsOnDisk(locator, location)); waited += POLL)
    await delay(POLL);
}

/** Whether the open text of a file is that of the disk; true if it is unsaved, not open, or no text that can be compared. */
export async function isAsOnDisk(locator: Locator, location: Location): Promise<boolean> {
  const document = openDocument(locator.vscode, location);
  if (!document || document.isDirty) return true;
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  const text = file && decodeUtf8(file.bytes);
  return text === undefined || document.isDirty || withLf(text) === withLf(document.getText());
}
