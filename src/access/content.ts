import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import { type Location, type Locator, openDocument } from './locate.ts';
import { OpenedFile } from './openedFile.ts';
import type { Policy } from './policy.ts';
import { policyPath } from './world.ts';

/** What a file holds: text, as the person sees it where it is open in an editor; bytes where it is no text. */
export type Content =
  | { kind: 'text'; text: string; document?: vscode.TextDocument }
  | { kind: 'binary'; bytes: Uint8Array }
  | { kind: 'folder' };

/**
 * Reads the editor's text where the file is open, else the disk.
 *
 * @throws UserError where it is closed or too large, NotFoundError where there is nothing
 */
export async function readContent(locator: Locator, location: Location): Promise<Content> {
  const document = openDocument(locator.vscode, location);
  if (document) return { kind: 'text', text: sized(locator, location, document.getText()), document };
  const isOnDisk = location.uri.scheme === 'file';
  const bytes = await (isOnDisk ? readDisk(locator, location) : readVirtual(locator, location));
  if (!bytes) return { kind: 'folder' };
  const text = await decode(locator.vscode, location.uri, bytes);
  return text === undefined ? { kind: 'binary', bytes } : { kind: 'text', text };
}

function sized({ policy }: Locator, location: Location, text: string): string {
  const limit = policy.maxFileSize(policyPath(location.uri));
  if (text.length > limit) throw tooLarge(location, text.length, limit);
  return text;
}

/**
 * The bytes of a file, undefined for a folder. A link may be swapped between the check and the opening: what was opened
 * is judged again, by its real path and its inode.
 */
async function readDisk({ policy }: Locator, location: Location): Promise<Uint8Array | undefined> {
  const path = location.uri.fsPath;
  const file = await OpenedFile.open(path).catch((error) => {
    if (error.code === 'EISDIR') return undefined;
    throw unreadable(location, error);
  });
  if (!file) return undefined;
  try {
    await requireSame(policy, path, file);
    if (file.stats.isDirectory()) return undefined;
    if (!file.stats.isFile())
      throw new UserError(`${location.path} is neither a file nor a folder, so it cannot be read.`);
    const limit = policy.maxFileSize(path);
    if (file.stats.size > limit) throw tooLarge(location, Number(file.stats.size), limit);
    return await file.read();
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(location, error as NodeJS.ErrnoException);
  } finally {
    file.close();
  }
}

async function requireSame(policy: Policy, path: string, file: OpenedFile): Promise<void> {
  const real = await file.realpath(path);
  policy.requireReal(path, real);
  if (!(await file.isAt(real))) throw new UserError(`${path} was replaced while it was read. Try again.`);
}

function unreadable(location: Location, { code, message }: NodeJS.ErrnoException): UserError {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new NotFoundError(`There is no file or folder ${location.path}.`);
  return new UserError(`${location.path} cannot be read: ${message}`);
}

async function readVirtual({ vscode: { workspace, FileType }, policy }: Locator, location: Location) {
  const { uri } = location;
  const reading = async () => {
    const { type, size } = await workspace.fs.stat(uri);
    if (type & FileType.Directory) return undefined;
    const limit = policy.maxFileSize(policyPath(uri));
    if (size > limit) throw tooLarge(location, size, limit);
    return workspace.fs.readFile(uri);
  };
  return withDeadline(reading(), `reading ${location.path}`).catch((error) => {
    if (error instanceof UserError) throw error;
    throw new NotFoundError(`There is no file or folder ${location.path}.`);
  });
}

export const tooLarge = ({ path }: Location, size: number, limit: number): UserError =>
  new UserError(
    `${path} has ${size} bytes; agents may read ${limit} at most here (setting workspaceMcp.access.maxFileSize). search_text finds single lines of it.`,
  );

/** Bytes that are looked at to tell text from other data; as many as Git looks at. */
const SNIFFED = 8000;

const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, SNIFFED).includes(0);

/** Whether a file looks like text by its beginning. */
export async function sniff(path: string): Promise<boolean> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    return !isBinary(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text in the encoding that VS Code would open it with; undefined where it is no text. */
async function decode(code: typeof vscode, uri: vscode.Uri, bytes: Uint8Array): Promise<string | undefined> {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!wide && isBinary(bytes)) return undefined;
  const encoding = code.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
  if (!wide && (encoding === 'utf8' || encoding === 'utf8bom')) {
    try {
      return utf8.decode(bytes);
    } catch {
      // not UTF-8 after all: VS Code guesses as it would for an editor
    }
  }
  return withDeadline(code.workspace.decode(bytes, { uri }), 'decoding a file').catch((error) => {
    if (error instanceof UserError) throw error;
    return undefined; // VS Code refuses to decode what it takes for binary
  });
}
