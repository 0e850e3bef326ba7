import type * as vscode from 'vscode';
import { ifUserError, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { decode } from '../read/decode.ts';
import { locateUri } from '../read/locateUri.ts';
import type { Location, Locator } from '../read/location.ts';
import { isSameText, readDisk } from '../read/readContent.ts';
import type { Applied } from './applyAll.ts';
import type { Edited } from './fileEdit.ts';

/** The state of a file after its edit. @throws UserError if its path now leads elsewhere */
export async function checkEdited(
  locator: Locator,
  applied: Applied,
  saved: Edited['saved'],
): Promise<Edited> {
  const { edit, edited, change, isMixed } = applied;
  await requireStillOpen(locator, applied);
  return {
    location: edit.location,
    version: edited.version,
    saved,
    changedOnSave: saved === 'saved' && withLf(edited.getText()) !== change.after,
    madeEndsAlike: isMixed,
    isGone: await hasGone(locator, applied, saved),
  };
}

/** A link may have replaced the file between the check and the edit. This race cannot be prevented, only reported. */
async function requireStillOpen(locator: Locator, { edit }: Applied): Promise<void> {
  const { uri, path } = edit.location;
  await locateUri(locator, uri.toString()).catch((error: Error) => {
    throw new UserError(
      `${path} was edited, but it is no longer the file you asked for: ${error.message} Tell the user.`,
    );
  });
}

/** Whether the path no longer has the saved text: a link replaced the file, or another program changed it. */
async function hasGone(
  locator: Locator,
  { edit: { location }, edited }: Applied,
  saved: Edited['saved'],
): Promise<boolean> {
  if (saved !== 'saved' || location.uri.scheme !== 'file' || edited.isDirty) return false;
  return !(await isOnDisk(locator, location, edited));
}

/** Whether the file has the text of its document; false if it cannot be read. */
export async function isOnDisk(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
): Promise<boolean> {
  const read = async () => {
    const bytes = await readDisk(locator, location);
    return bytes && decode(locator, location, bytes, document.encoding);
  };
  const text = await read().catch(ifUserError(undefined));
  return text !== undefined && isSameText(document, text);
}
