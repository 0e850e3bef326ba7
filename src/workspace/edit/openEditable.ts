import type { BigIntStats } from 'node:fs';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { delay, withDeadline } from '../../util/clock.ts';
import { type DiskFile, readDisk } from '../read/diskFile.ts';
import { judgedNow } from '../read/locateUri.ts';
import { type Location, type Locator, openDocument, openNotebook } from '../read/location.ts';
import {
  decode,
  decodeUtf8,
  isSameText,
  isUnicode,
  isWide,
  loadDocument,
  requireText,
  SNIFFED,
} from '../read/readContent.ts';

/** How long VS Code may take to reload a changed file, and how often to check, in milliseconds. */
export const IN_STEP_TIME = 2_000;
export const PAUSE = 50;

/** The document of a text file, ready to be edited. */
export interface Editable {
  document: vscode.TextDocument;
  /** The document's version when it was opened. */
  version: number;
  isDirty: boolean;
  location: Location;
  /** The file's stats when it was opened; undefined without a file on a local disk. */
  stats: BigIntStats | undefined;
  /** Its file has mixed line ends; VS Code makes them all the same on saving. */
  isMixed: boolean;
  /** It has unsaved text or no file, so the user saves it. False if it is dirty but equal to the disk. */
  isTheirs: boolean;
}

/**
 * Opens a text file for an edit that changes nothing else. Refused: files that VS Code has not reloaded yet, notebooks with
 * unsaved changes, and files in which saving would change other bytes.
 *
 * @throws UserError with the reason, NotFoundError if the file was deleted
 */
export async function openEditable(locator: Locator, judged: Location): Promise<Editable> {
  locator.policy.requireOperation('edit');
  locator.policy.requireOperation('read'); // errors and problems quote the text
  const location = await judgedNow(locator, judged);
  if (openNotebook(locator.vscode, location)?.isDirty) {
    throw new UserError(
      `${location.path} is a notebook with unsaved changes. Ask the user to save it in VS Code first.`,
    );
  }
  const content = await requireText(locator, location);
  const document = openDocument(locator.vscode, location) ?? (await loadDocument(locator, location));
  const state = await stateOf(locator, location, document, content.file);
  return { document, version: document.version, isDirty: document.isDirty, location, ...state };
}

export const replacedError = ({ path }: Location): UserError =>
  new UserError(`${path} was replaced by another file or a link. Nothing was edited. Try again.`);

type State = Pick<Editable, 'stats' | 'isMixed' | 'isTheirs'>;

async function stateOf(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
  opened: DiskFile | undefined,
): Promise<State> {
  const { uri, path, realPath } = location;
  const { isDirty, isUntitled } = document;
  const state = { stats: undefined, isMixed: false, isTheirs: isDirty || isUntitled };
  if (uri.scheme !== 'file' || (realPath === undefined && isDirty)) return state;
  if (realPath !== undefined) return inStep(locator, location, document, opened);
  throw new NotFoundError(
    `${path} is no longer on the disk; only VS Code has its last text. Nothing was edited. Ask the user if they want it back.`,
  );
}

/**
 * Waits until the document equals its file, unless it has unsaved changes.
 *
 * @param opened the file as it was read just now
 */
async function inStep(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
  opened: DiskFile | undefined,
): Promise<State> {
  let file = opened ?? (await readDisk(locator, location));
  for (let waited = 0; waited < IN_STEP_TIME; waited += PAUSE) {
    if (file && file.realPath !== location.realPath) throw replacedError(location);
    const text = file && (await decode(locator, location, file.bytes, document.encoding));
    if (file && text !== undefined && isSameText(document, text)) {
      await requireFaithful(locator.vscode, location, document, file.bytes);
      return { stats: file.stats, isMixed: hasMixedEnds(text), isTheirs: false };
    }
    if (document.isDirty && !isLeftUnsaved(document))
      return { stats: file?.stats, isMixed: false, isTheirs: true };
    await delay(PAUSE);
    file = await readDisk(locator, location);
  }
  throw notReloaded(location);
}

export const notReloaded = ({ path }: Location): UserError =>
  new UserError(
    `${path} changed on the disk, and VS Code has not reloaded it yet. Nothing was edited. Try again; if that fails, the user can run "File: Revert File".`,
  );

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

async function isFaithful(workspace: typeof vscode.workspace, encoding: string, bytes: Uint8Array) {
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
  { vscode: { workspace }, inputs }: Pick<Locator, 'vscode' | 'inputs'>,
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
  const shown = inputs.redaction.of(path).redact(text);
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

/** Versions of documents whose text is left from an edit that was undone. */
const leftVersions = new WeakMap<vscode.TextDocument, number>();

/** Records that a document's unsaved text comes from a reverted edit, not from the user. */
export function leaveUnsaved(document: vscode.TextDocument): void {
  leftVersions.set(document, document.version);
}

/** Whether that still holds: any later change makes the text the user's. */
const isLeftUnsaved = (document: vscode.TextDocument): boolean =>
  leftVersions.get(document) === document.version;
