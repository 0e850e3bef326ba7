import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { delay } from '../../util/clock.ts';
import { withDeadline } from '../../util/deadline.ts';
import { decode, decodeUtf8, isUnicode, isWide, SNIFFED } from '../read/decode.ts';
import { openDocument } from '../read/displayPath.ts';
import type { Location, Locator } from '../read/location.ts';
import { openNotebook } from '../read/notebooks.ts';
import { isSameText, readDisk, requireText } from '../read/readContent.ts';
import { isLeftUnsaved } from './leftUnsaved.ts';

/** How long VS Code may take to reload a changed file, and how often to check, in milliseconds. */
const IN_STEP_TIME = 2_000;
const PAUSE = 50;

/** The document of a text file, ready to be edited. */
export interface Editable {
  document: vscode.TextDocument;
  location: Location;
  /** Its file has mixed line ends; VS Code makes them all the same on saving. */
  isMixed: boolean;
  /** It has unsaved text or no file, so the user saves it. False if it is dirty but equal to the disk. */
  isTheirs: boolean;
}

/**
 * Opens a text file for an edit that changes nothing else. Refused: files that VS Code has not reloaded yet, notebooks with
 * unsaved changes, and files in which saving would change other bytes.
 *
 * @param load makes VS Code load the document
 * @throws UserError with the reason, NotFoundError if the file was deleted
 */
export async function openEditable(
  locator: Locator,
  location: Location,
  load: (location: Location) => Promise<vscode.TextDocument>,
): Promise<Editable> {
  const { uri, path, realPath } = location;
  if (openNotebook(locator.vscode, location)?.isDirty) {
    throw new UserError(
      `${path} is a notebook with unsaved changes. Ask the user to save it in VS Code first.`,
    );
  }
  await requireText(locator, location);
  const document = openDocument(locator.vscode, location) ?? (await load(location));
  if (uri.scheme !== 'file')
    return { document, location, isTheirs: document.isDirty || document.isUntitled, isMixed: false };
  if (realPath === undefined && !document.isDirty) {
    throw new NotFoundError(
      `${path} is no longer on the disk; only VS Code has its last text. Nothing was edited. Ask the user if they want it back.`,
    );
  }
  const text = realPath === undefined ? undefined : await textInStep(locator, location, document);
  return {
    document,
    location,
    isTheirs: text === undefined,
    isMixed: text !== undefined && hasMixedEnds(text),
  };
}

/** Waits until the document equals its file and returns the text; undefined if the document has unsaved changes. */
async function textInStep(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  for (let waited = 0; waited < IN_STEP_TIME; waited += PAUSE) {
    const bytes = await readDisk(locator, location);
    const text = bytes && (await decode(locator, location, bytes, document.encoding));
    if (bytes && text !== undefined && isSameText(document, text)) {
      await requireFaithful(locator.vscode, location, document, bytes);
      return text;
    }
    if (document.isDirty && !isLeftUnsaved(document)) return undefined;
    await delay(PAUSE);
  }
  throw new UserError(
    `${location.path} changed on the disk, and VS Code has not reloaded it yet. Nothing was edited. Try again; if that fails, the user can run "File: Revert File".`,
  );
}

/**
 * Saving would change invalid bytes, and in some encodings also bytes that are one of two encodings of a character. Line ends
 * are not checked.
 */
async function requireFaithful(
  { workspace }: typeof vscode,
  { path }: Location,
  { encoding }: vscode.TextDocument,
  bytes: Uint8Array,
): Promise<void> {
  if (
    encoding.startsWith('utf8')
      ? decodeUtf8(bytes) !== undefined
      : await isFaithful(workspace, encoding, bytes)
  )
    return;
  throw new UserError(
    `${path} is not valid in the encoding with which VS Code opened it (${encoding}): saving would change bytes outside the edit. The user can choose the right one with "Change File Encoding".`,
  );
}

async function isFaithful(
  workspace: typeof vscode.workspace,
  encoding: string,
  bytes: Uint8Array,
): Promise<boolean> {
  const text = await withDeadline(workspace.decode(bytes, { encoding }), 'decoding a file');
  const again = await withDeadline(workspace.encode(text, { encoding }), 'encoding a file');
  return Buffer.from(withoutMark(again)).equals(withoutMark(bytes));
}

/** Without the byte order mark of UTF-16. */
const withoutMark = (bytes: Uint8Array): Uint8Array => (isWide(bytes) ? bytes.subarray(2) : bytes);

/**
 * @throws UserError if the document's encoding lacks a character of the new text, or if the saved bytes would later be read as
 *   something else, in which the patterns miss redacted text
 */
export async function requireEncodable(
  { vscode: { workspace }, world }: Pick<Locator, 'vscode' | 'world'>,
  { path }: Location,
  { encoding }: vscode.TextDocument,
  text: string,
): Promise<void> {
  if (isUnicode(encoding)) return;
  const encoded = async (one: string) => {
    const bytes = await withDeadline(workspace.encode(one, { encoding }), `encoding ${path}`);
    return { bytes, kept: await withDeadline(workspace.decode(bytes, { encoding }), `encoding ${path}`) };
  };
  const { bytes, kept } = await encoded(text);
  const shown = world.redaction().of(path).redact(text);
  if (shown !== text && (isWide(bytes) || bytes.subarray(0, SNIFFED).includes(0)))
    throw new UserError(
      `${path} is unchanged: the new text would make it look like a binary file, and it has redacted parts.`,
    );
  if (kept === text) return;
  const left = [...(await encoded(shown)).kept];
  const lost = [...shown].find((character, index) => left[index] !== character);
  throw new UserError(
    `${path} is unchanged: its encoding (${encoding}) cannot represent ${lost === undefined ? 'all characters of the redacted text' : JSON.stringify(lost)}. Use other characters, or ask the user to save the file as UTF-8.`,
  );
}

function hasMixedEnds(text: string): boolean {
  if (!text.includes('\r')) return false;
  const ends = new Set<string>();
  for (const [end] of text.matchAll(/\r\n?|\n/g)) if (ends.add(end).size > 1 || end === '\r') return true;
  return false;
}
