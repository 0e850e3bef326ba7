import { ifUserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { LineMap } from '../../util/lineMap.ts';
import { textHash } from '../../util/textHash.ts';
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
  if (!document || !(client || document.isDirty)) return undefined;
  const shown = withLf(document.getText());
  if (client && textHash(shown) === client.hash) return undefined;
  if (client && client.text === undefined) return 'needed';
  const text = client ? client.text : await onDisk(locator, location);
  if (text === undefined || withLf(text) === shown) return undefined;
  const theirs = withLf(text);
  return { toWindow: new LineMap(theirs, shown), toClient: new LineMap(shown, theirs) };
}

async function onDisk(locator: Locator, location: Location): Promise<string | undefined> {
  const file = await readDisk(locator, location).catch(ifUserError(undefined));
  return file && decodeUtf8(file.bytes);
}
