import type * as vscode from 'vscode';
import { NotFoundError, UserError, unlessUserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/clock.ts';
import {
  type DiskFile,
  fileStat,
  LARGE,
  type MakeRoom,
  readDisk,
  requireFile,
  requireReadable,
} from './diskFile.ts';
import { locateUri } from './locateUri.ts';
import { type Location, type Locator, openDocument, openNotebook } from './location.ts';

/** Content of a file: text as the user sees it, or bytes if it is not text. */
export type FileContent =
  | {
      kind: 'text';
      text: string;
      /** The open document that has this text. */
      document?: vscode.TextDocument;
      /** What was opened for it; undefined if only the editor has the text, or it is not on a local disk. */
      file?: DiskFile;
      /** The file is an open notebook whose unsaved changes are not in the text. */
      unsavedNotebook?: true;
    }
  | { kind: 'binary'; bytes: Uint8Array }
  | { kind: 'folder' };

type TextContent = Extract<FileContent, { kind: 'text' }>;

/** The content that agents may see. */
export type ShownContent =
  | (Omit<TextContent, 'file'> & {
      isRedacted?: true;
      /** The readable cells of a notebook; undefined if the text is not a readable notebook. */
      notebook?(): string | undefined;
    })
  | Exclude<FileContent, { kind: 'text' }>;

/**
 * Reads unsaved text from the editor, everything else from the disk: VS Code notices a changed file late, and an agent that
 * just changed it must not read the old text.
 *
 * @throws UserError if it is closed, too large, or in an encoding that hides redacted text; NotFoundError if nothing is there
 */
export async function readContent(
  locator: Locator,
  location: Location,
  makeRoom: MakeRoom = async () => {},
): Promise<FileContent> {
  const document = openDocument(locator.vscode, location);
  if (document && isAhead(document, location)) {
    const text = document.getText();
    requireReadable(location, text.length);
    if (text.length > LARGE) await makeRoom(text.length);
    if (await missesRedacted(locator, location.path, text, document)) throw wronglyDecoded(location);
    return { kind: 'text', text, document };
  }
  const isOnDisk = location.uri.scheme === 'file';
  const file = isOnDisk ? await readDisk(locator, location, makeRoom) : undefined;
  const bytes = isOnDisk ? file?.bytes : await readVirtual(locator, location, makeRoom);
  if (!bytes) return { kind: 'folder' };
  const text = await decode(locator, location, bytes, document?.encoding);
  if (text === undefined) return { kind: 'binary', bytes };
  if (await missesRedacted(locator, location.path, text, document ?? location, bytes))
    throw wronglyDecoded(location);
  const opened = file && { file };
  if (document && isSameText(document, text))
    return { kind: 'text', text: document.getText(), document, ...opened };
  const isBehind = openNotebook(locator.vscode, location)?.isDirty;
  return { kind: 'text', text, ...opened, ...(isBehind && { unsavedNotebook: true }) };
}

/** Whether only the editor has the text: it is unsaved, or its file was deleted or is not on a local disk. */
const isAhead = ({ isDirty }: vscode.TextDocument, { uri, realPath }: Location): boolean =>
  isDirty || uri.scheme !== 'file' || realPath === undefined;

/** Whether a document has this text; line ends may differ. */
export const isSameText = (document: vscode.TextDocument, text: string): boolean =>
  document.getText() === text || withLf(document.getText()) === withLf(text);

async function readVirtual(
  { vscode: { workspace, FileType } }: Locator,
  location: Location,
  makeRoom: MakeRoom,
) {
  const { uri } = location;
  const reading = async () => {
    const { type, size } = await withDeadline(workspace.fs.stat(uri), `looking at ${location.path}`);
    if (type & FileType.Directory) return undefined;
    requireReadable(location, size);
    if (size > LARGE) await makeRoom(size);
    return withDeadline(workspace.fs.readFile(uri), `reading ${location.path}`);
  };
  return reading().catch(
    unlessUserError(() => {
      throw new NotFoundError(`There is no file or folder ${location.path}.`);
    }),
  );
}

const wronglyDecoded = ({ path }: Location): UserError =>
  new UserError(
    `${path} cannot be read: its encoding (setting files.encoding) would reveal redacted text. The user can reopen it as UTF-8.`,
  );

/** The content of a file that can be edited. @throws UserError if it is not text or too large; NotFoundError */
export async function requireText(locator: Locator, location: Location): Promise<TextContent> {
  const content = await readContent(locator, location);
  if (content.kind === 'text') return content;
  const what = content.kind === 'folder' ? 'a folder' : `not text (${content.bytes.length} bytes)`;
  throw new UserError(`${location.path} is ${what}. Only text files can be edited.`);
}

/** Bytes checked to tell text from binary data; the same number as Git. */
export const SNIFFED = 8000;

export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SNIFFED).includes(0) && !looksLikeUtf16(bytes.subarray(0, SNIFFED_AS_WIDE));

/** Bytes that VS Code checks for UTF-16 without a byte order mark: every other byte is zero. Here the rest must be printable too. */
const SNIFFED_AS_WIDE = 512;

const looksLikeUtf16 = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  [0, 1].some((half) =>
    bytes.every((byte, at) =>
      at % 2 === half ? byte === 0 : byte >= 0x20 || /\s/.test(String.fromCharCode(byte)),
    ),
  );

/** Whether the bytes begin with the byte order mark of UTF-16. */
export const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without its byte order mark; undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether an encoding can represent every character. @param encoding VS Code's name */
export const isUnicode = (encoding: string): boolean => encoding.startsWith('utf');

/**
 * Decodes with the encoding that VS Code uses for the file; undefined if it is not text.
 *
 * @param opened encoding of the open document, as VS Code names it
 */
export async function decode(
  { vscode: { workspace }, inputs }: Locator,
  { uri, folder }: Pick<Location, 'uri' | 'folder'>,
  bytes: Uint8Array,
  opened?: string,
): Promise<string | undefined> {
  const wide = isWide(bytes);
  const encoding = opened ?? (wide ? 'utf16' : inputs.encoding(folder));
  if (!opened && !encoding.startsWith('utf16') && isBinary(bytes)) return undefined;
  const text = /^utf8(bom)?$/.test(encoding) ? decodeUtf8(bytes) : undefined;
  if (text !== undefined && (opened || !bytes.subarray(0, SNIFFED).includes(0))) return text;
  // Not UTF-8: VS Code guesses as it does for an editor. An open document may have a wrong encoding.
  const decoding = opened ? workspace.decode(bytes, { encoding: opened }) : workspace.decode(bytes, { uri });
  // VS Code rejects bytes that look binary.
  return withDeadline(decoding, 'decoding a file').catch(unlessUserError(() => undefined));
}

/** How VS Code decodes a text: with its document's encoding, or with the settings for a file. */
type DecodedBy = Pick<vscode.TextDocument, 'encoding'> | { uri: vscode.Uri };

/**
 * Whether the patterns miss something in a text that they find in its bytes as UTF-8. A repository's settings can choose an
 * encoding in which nothing matches, and agents could convert such text back into the bytes.
 *
 * @param bytes of the file; by default the bytes that VS Code would save
 * @throws UserError if a pattern cannot be used
 */
export async function missesRedacted(
  { vscode: { workspace }, inputs }: Pick<Locator, 'vscode' | 'inputs'>,
  path: string,
  text: string,
  decodedBy: DecodedBy,
  bytes?: Uint8Array,
): Promise<boolean> {
  const redaction = inputs.redaction.of(path);
  const isOfDocument = 'encoding' in decodedBy;
  if (redaction.isOff || (isOfDocument && decodedBy.encoding.startsWith('utf8'))) return false;
  // TypeScript accepts no union for the overloads.
  const by = (isOfDocument ? { encoding: decodedBy.encoding } : decodedBy) as { uri: vscode.Uri };
  const recode = async () => {
    const raw = bytes ?? (await workspace.encode(text, by));
    const utf8 = decodeUtf8(raw);
    if (utf8 === text) return text;
    const plain = utf8 ?? Buffer.from(raw).toString('latin1');
    const redacted = redaction.redact(plain);
    if (redacted === plain) return text;
    return workspace.decode(Buffer.from(redacted, utf8 === undefined ? 'latin1' : 'utf8'), by);
  };
  const misses = (recoded: string) =>
    recoded !== text && redaction.redact(recoded) !== redaction.redact(text);
  // Other errors mean that VS Code does not accept the bytes as text.
  return withDeadline(recode(), 'decoding a file')
    .then(misses)
    .catch(unlessUserError(() => true));
}

/** Has VS Code load the document, without an editor for it. @throws UserError if it is a folder, too large, or not text; NotFoundError */
export async function loadDocument(locator: Locator, location: Location): Promise<vscode.TextDocument> {
  const { vscode } = locator;
  await requireLoadable(locator, location);
  const opening = withDeadline(vscode.workspace.openTextDocument(location.uri), `opening ${location.path}`);
  const document = await opening.catch(
    unlessUserError(() => {
      throw new UserError(`VS Code does not open ${location.path} as text: it is binary or too large.`);
    }),
  );
  await requireSame(locator, location); // a link may have replaced it, and VS Code follows it
  return document;
}

/** Gives the reason that VS Code's own error for a folder or a missing file lacks. @throws UserError, NotFoundError */
export async function requireLoadable({ vscode }: Locator, location: Location): Promise<void> {
  if (openDocument(vscode, location)) return;
  const { size } = requireFile(location, await fileStat(vscode, location.uri));
  requireReadable(location, size);
}

/** @throws UserError if the path now leads elsewhere */
export async function requireSame(locator: Locator, { uri, path, realPath }: Location): Promise<void> {
  const now = await locateUri(locator, uri.toString());
  if (now.realPath !== realPath) throw new UserError(`${path} was replaced while it was read. Try again.`);
}
