import type * as vscode from 'vscode';
import { NotFoundError, UserError, unlessUserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/deadline.ts';
import { decode, missesRedacted } from './decode.ts';
import { type DiskFile, LARGE, type MakeRoom, readDisk, requireReadable } from './diskFile.ts';
import { openDocument, openNotebook } from './displayPath.ts';
import type { Location, Locator } from './location.ts';

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

export type TextContent = Extract<FileContent, { kind: 'text' }>;

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
export const isAhead = ({ isDirty }: vscode.TextDocument, { uri, realPath }: Location): boolean =>
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
