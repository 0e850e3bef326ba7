import { ifUserError, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { LineMap } from '../../util/lineMap.ts';
import { plainText, textHash } from '../../util/textHash.ts';
import { readAgain } from './asOnDisk.ts';
import { readDisk } from './diskFile.ts';
import { type Location, type Locator, openDocument } from './location.ts';
import { decodeUtf8, loadDocument } from './readContent.ts';

/** Text of a file that an LSP client has open. */
export interface ClientText {
  hash: string;
  /** Undefined if only its hash is known. */
  text: string | undefined;
}

/** Where the lines of a client's text are in the window's, and the other way round. */
export interface LineMaps {
  toWindow: LineMap;
  toClient: LineMap;
}

/**
 * Compares the text of a file in the window, unsaved or not, with that of a client.
 *
 * @param client if left out, it has the text of the disk
 * @returns undefined if both are the same, or nothing but the window has a text; `needed` if the client's text has to be known
 * @throws UserError if the text of the disk is not known
 */
export async function lineMaps(
  locator: Locator,
  location: Location,
  client: ClientText | undefined,
): Promise<LineMaps | 'needed' | undefined> {
  const open = openDocument(locator.vscode, location);
  const document = client
    ? (open ?? (await loadDocument(locator, location).catch(ifUserError(undefined))))
    : open;
  if (!document) return undefined;
  await readAgain(locator, location);
  if (!(client || document.isDirty)) return undefined;
  const shown = plainText(document.getText());
  if (client && textHash(shown) === client.hash) return undefined;
  if (client && client.text === undefined) return 'needed';
  const text = client ? client.text : await onDisk(locator, location);
  const theirs = text === undefined ? shown : plainText(text);
  if (theirs === shown) return undefined;
  return { toWindow: new LineMap(theirs, shown), toClient: new LineMap(shown, theirs) };
}

/** Undefined if there is no file. @throws UserError */
async function onDisk(locator: Locator, location: Location): Promise<string | undefined> {
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  const text = file && decodeUtf8(file.bytes);
  if (file && text === undefined)
    throw new UserError(
      `${visible(location.path)} has unsaved text in VS Code, and is not UTF-8: places in it are not known.`,
    );
  return text;
}
