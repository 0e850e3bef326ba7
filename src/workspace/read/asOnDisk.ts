/** Whether VS Code has read what a shell may have just written. */
import type { BigIntStats } from 'node:fs';
import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { delay } from '../../util/clock.ts';
import { oncePer } from '../../util/once.ts';
import { fileStat, isStill, readDisk } from './diskFile.ts';
import { type Location, type Locator, openDocument } from './location.ts';
import { decodeUtf8 } from './readContent.ts';

/** Changes on the disk before that have been read, in milliseconds. */
const RECENT = 60_000;
/** How long VS Code may take to read a file that has changed on the disk, and how often it is looked at meanwhile, in milliseconds. */
const NOTICING = 3_000;
const POLL = 50;
/** A change so long ago, in milliseconds, is told from a later one by its time. */
const SETTLED = 1_000;

/** Waits until VS Code has read what a shell may have just written, but not for ever. */
export async function readAgain(locator: Locator, location: Location): Promise<void> {
  const modifiedAt =
    (await fileStat(locator.vscode, location.uri, locator.inputs.near))?.modifiedAt.getTime() ?? 0;
  if (Date.now() - modifiedAt > RECENT) return;
  for (let waited = 0; waited < NOTICING && !(await isAsOnDisk(locator, location)); waited += POLL)
    await delay(POLL);
}

/** Whether the open text of a file is that of the disk; true if it is unsaved, not open, or no text that can be compared. */
export async function isAsOnDisk(locator: Locator, location: Location): Promise<boolean> {
  const document = openDocument(locator.vscode, location);
  if (!document || document.isDirty) return true;
  const { version } = document;
  const last = lastSame(document);
  if (last.version === version && (await isStill(locator, location, last.stats))) return true;
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  const text = file && decodeUtf8(file.bytes);
  if (text === undefined || document.isDirty) return true;
  const isSame = withLf(text) === withLf(document.getText());
  // The clock of a disk may be too coarse for two changes in a moment.
  const isOld = file !== undefined && Date.now() - Number(file.stats.mtimeMs) > SETTLED;
  if (isSame && isOld) Object.assign(last, { version, stats: file.stats });
  return isSame;
}

/** The text of a document, and the file, that were the same. */
const lastSame = oncePer((_: vscode.TextDocument): { version?: number; stats?: BigIntStats } => ({}));
