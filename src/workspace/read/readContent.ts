import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import type { Policy } from '../../access/policy.ts';
import { policyPath } from '../../access/policyInputs.ts';
import { CancelledError, NotFoundError, reasonOf, UserError, unlessUserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { withDeadline } from '../../util/deadline.ts';
import { decode } from './decode.ts';
import { openDocument } from './displayPath.ts';
import type { Location, Locator } from './location.ts';
import { openNotebook } from './notebooks.ts';
import { missesRedacted } from './otherEncoding.ts';

/** Content of a file: text as the user sees it, or bytes if it is not text. */
export type Content =
  | {
      kind: 'text';
      text: string;
      /** The open document that has this text. */
      document?: vscode.TextDocument;
      /** The file is an open notebook whose unsaved changes are not in the text. */
      unsavedNotebook?: true;
    }
  | { kind: 'binary'; bytes: Uint8Array }
  | { kind: 'folder' };

/** The content that agents may see. */
export type Shown =
  | (Extract<Content, { kind: 'text' }> & {
      isRedacted?: true;
      /** The readable cells of a notebook; undefined if the text is not a readable notebook. */
      notebook?(): string | undefined;
    })
  | Exclude<Content, { kind: 'text' }>;

/** Waits until memory for this many bytes is free. */
export type MakeRoom = (bytes: number) => Promise<void>;

/** Size in bytes above which `makeRoom` is called. */
const LARGE = 256 * 1024;

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
): Promise<Content> {
  const document = openDocument(locator.vscode, location);
  if (document && isAhead(document, location)) {
    const text = document.getText();
    requireReadable(locator.policy, location, text.length);
    if (text.length > LARGE) await makeRoom(text.length);
    if (await missesRedacted(locator, location.path, text, document)) throw wronglyDecoded(location);
    return { kind: 'text', text, document };
  }
  const isOnDisk = location.uri.scheme === 'file';
  const bytes = await (isOnDisk
    ? readDisk(locator, location, makeRoom)
    : readVirtual(locator, location, makeRoom));
  if (!bytes) return { kind: 'folder' };
  const text = await decode(locator, location, bytes, document?.encoding);
  if (text === undefined) return { kind: 'binary', bytes };
  if (await missesRedacted(locator, location.path, text, document ?? location, bytes))
    throw wronglyDecoded(location);
  if (document && isSameText(document, text)) return { kind: 'text', text: document.getText(), document };
  const isBehind = openNotebook(locator.vscode, location)?.isDirty;
  return { kind: 'text', text, ...(isBehind && { unsavedNotebook: true }) };
}

/** Whether only the editor has the text: it is unsaved, or its file was deleted or is not on a local disk. */
export const isAhead = ({ isDirty }: vscode.TextDocument, { uri, realPath }: Location): boolean =>
  isDirty || uri.scheme !== 'file' || realPath === undefined;

/** Whether a document has this text; line ends may differ. */
export const isSameText = (document: vscode.TextDocument, text: string): boolean =>
  document.getText() === text || withLf(document.getText()) === withLf(text);

/** Most bytes that agents may read, by the file's own path and its real path. */
export const sizeLimit = (policy: Policy, { uri, realPath }: Location): number =>
  policy.maxFileSize(policyPath(uri), ...(realPath === undefined ? [] : [realPath]));

/**
 * The bytes of a file, undefined for a folder. A link may be swapped between the check and the opening, so the opened file is
 * checked again, by its real path and inode.
 */
export async function readDisk(
  locator: Pick<Locator, 'policy' | 'world'>,
  location: Location,
  makeRoom?: MakeRoom,
): Promise<Uint8Array | undefined> {
  const { policy, world } = locator;
  const path = location.uri.fsPath;
  const file = await OpenedFile.open(path, world.near).catch((error) => {
    if (error.code === 'EISDIR') return undefined;
    throw unreadable(location, error);
  });
  if (!file) return undefined;
  try {
    const real = await requireSame(locator, path, file);
    if (file.stats.isDirectory()) return undefined;
    if (!file.stats.isFile())
      throw new UserError(`${location.path} is neither a file nor a folder, so it cannot be read.`);
    const size = Number(file.stats.size);
    requireReadable(policy, { ...location, realPath: real }, size);
    if (!makeRoom || size <= LARGE) return await file.read();
    file.close(); // many calls may wait: do not hold file descriptors
    await makeRoom(size);
  } catch (error) {
    throw error instanceof UserError || error instanceof CancelledError
      ? error
      : unreadable(location, error as NodeJS.ErrnoException);
  } finally {
    file.close();
  }
  return readDisk(locator, location);
}

/** Checks the opened file and resolves to its real path. @throws UserError if it is closed, or the path now leads elsewhere */
async function requireSame(
  { policy, world }: Pick<Locator, 'policy' | 'world'>,
  path: string,
  file: OpenedFile,
): Promise<string> {
  const real = await file.realpath(path);
  if (real === undefined) throw new UserError(`${path} was replaced while it was read. Try again.`);
  await world.git.look(file.stats.isDirectory() ? real : dirname(real));
  policy.requireReal(path, real);
  return real;
}

/** Runs `find` on an opened file and closes it; undefined if agents may not see the file, or it was deleted. */
export async function judged<T>(
  locator: Pick<Locator, 'policy' | 'world'>,
  path: string,
  file: OpenedFile,
  find: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    await requireSame(locator, path, file);
    return await find();
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

function unreadable(location: Location, error: NodeJS.ErrnoException): UserError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return new NotFoundError(`There is no file or folder ${location.path}.`);
  return new UserError(`${location.path} cannot be read: ${reasonOf(error)}`);
}

async function readVirtual(
  { vscode: { workspace, FileType }, policy }: Locator,
  location: Location,
  makeRoom: MakeRoom,
) {
  const { uri } = location;
  const reading = async () => {
    const { type, size } = await withDeadline(workspace.fs.stat(uri), `looking at ${location.path}`);
    if (type & FileType.Directory) return undefined;
    requireReadable(policy, location, size);
    if (size > LARGE) await makeRoom(size);
    return withDeadline(workspace.fs.readFile(uri), `reading ${location.path}`);
  };
  return reading().catch(
    unlessUserError(() => {
      throw new NotFoundError(`There is no file or folder ${location.path}.`);
    }),
  );
}

/** @param size in bytes. @throws UserError if it is larger than agents may read */
export function requireReadable(policy: Policy, location: Location, size: number): void {
  const limit = sizeLimit(policy, location);
  if (size <= limit) return;
  throw new UserError(
    `${location.path} has ${size} bytes; the limit is ${limit} bytes (setting workspaceMcp.access.maxFileSize). Use search_text to find lines in it.`,
  );
}

const wronglyDecoded = ({ path }: Location): UserError =>
  new UserError(
    `${path} cannot be read: its encoding (setting files.encoding) would reveal redacted text. The user can reopen it as UTF-8.`,
  );

/** The text of a file that can be edited. @throws UserError if it is not text or too large; NotFoundError */
export async function requireText(locator: Locator, location: Location): Promise<string> {
  const content = await readContent(locator, location);
  if (content.kind === 'text') return content.text;
  const what = content.kind === 'folder' ? 'a folder' : `not text (${content.bytes.length} bytes)`;
  throw new UserError(`${location.path} is ${what}. Only text files can be edited.`);
}
