import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import { decode, decodeUtf8, isUnicode, isWide, SNIFFED } from '../read/decode.ts';
import { openDocument } from '../read/displayPath.ts';
import type { Location, Locator } from '../read/location.ts';
import { openNotebook } from '../read/notebooks.ts';
import { isSameText, readDisk, requireText } from '../read/readContent.ts';
import { isLeftUnsaved } from './leftUnsaved.ts';

/** How long VS Code may take to see that a file has changed, and how often that is looked at, in milliseconds. */
const IN_STEP_TIME = 2_000;
const PAUSE = 50;

/** The document of a text file, ready to be edited. */
export interface Editable {
  document: vscode.TextDocument;
  location: Location;
  /** The lines of its file do not all end alike: VS Code saves them so. */
  isMixed: boolean;
  /** It has unsaved text, or no file: theirs to save. What is dirty and yet as it is on the disk is not theirs. */
  isTheirs: boolean;
}

/**
 * Opens a text file so that an edit changes what it says it does and nothing else: not over text that VS Code has not seen yet,
 * nor under unsaved changes of a notebook, nor where saving would change other bytes.
 *
 * @param load has VS Code load the document
 * @throws UserError that says what is in the way, NotFoundError where the file has gone
 */
export async function openEditable(
  locator: Locator,
  location: Location,
  load: (location: Location) => Promise<vscode.TextDocument>,
): Promise<Editable> {
  const { uri, path, realPath } = location;
  if (openNotebook(locator.vscode, location)?.isDirty) {
    throw new UserError(
      `${path} is a notebook with changes that are not saved: the person has to save it in VS Code first.`,
    );
  }
  await requireText(locator, location);
  const document = openDocument(locator.vscode, location) ?? (await load(location));
  if (uri.scheme !== 'file')
    return { document, location, isTheirs: document.isDirty || document.isUntitled, isMixed: false };
  if (realPath === undefined && !document.isDirty) {
    throw new NotFoundError(
      `${path} is no longer on the disk, though VS Code still has its last text. It is left as it is.`,
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

/** The text of the file, once a document without changes of its own has it; undefined where it has changes of its own. */
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
    `${location.path} has changed on the disk, and VS Code has not taken that up yet: nothing is edited. Try again; if that does not help, the person can run "File: Revert File".`,
  );
}

/**
 * Bytes that stand for no character, and in some encodings those that are one of two ways to write the same, would be saved as
 * others. What ends the lines is not looked at.
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
    `${path} is not valid in the encoding that VS Code has opened it with (${encoding}): saving it would change bytes that no edit touches. The person can choose the right one with "Change File Encoding".`,
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
 * @throws UserError where the document's encoding lacks a character of the new text, or, once VS Code has let go of it, the bytes
 *   would be taken for something else, in which what is redacted is not found
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
    throw new UserError(`${path} is unchanged: it would not look like text, and has redacted parts.`);
  if (kept === text) return;
  const left = [...(await encoded(shown)).kept];
  const lost = [...shown].find((character, index) => left[index] !== character);
  throw new UserError(
    `${path} is unchanged: its encoding (${encoding}) has ${lost === undefined ? 'not all characters of what is redacted' : `no ${JSON.stringify(lost)}`}. Write it in another way, or have the person save the file as UTF-8.`,
  );
}

function hasMixedEnds(text: string): boolean {
  const ends = new Set<string>();
  for (const [end] of text.matchAll(/\r\n?|\n/g)) if (ends.add(end).size > 1 || end === '\r') return true;
  return false;
}
