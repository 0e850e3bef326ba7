import { randomUUID } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { requireNoGit } from '../../../disk/gitDirectories.ts';
import { withDeadline, within } from '../../../util/clock.ts';
import { fileStat } from '../../read/diskFile.ts';
import type { Location, Locator } from '../../read/location.ts';
import type { KeptFile } from '../journal.ts';
import type { TreeEntry } from './tree.ts';

/** Most bytes of one deleted or copied folder that are kept to take it back. */
const MOST_KEPT = 20 * 1024 * 1024;
/** How long VS Code may take for a large folder, in milliseconds. */
const FOLDER_TIMEOUT_MS = 120_000;

/** @throws UserError with the system's reason */
export const done = <T>(promise: Thenable<T>, what: string): Promise<T> =>
  withDeadline(promise, what, FOLDER_TIMEOUT_MS).catch((error) => {
    throw error instanceof UserError ? error : new UserError(`VS Code failed at ${what}: ${error.message}`);
  });

/** A file or folder with all that is in it; undefined if it is too large, or has links. */
export async function keptFiles(
  code: typeof vscode,
  uri: vscode.Uri,
  entries: readonly TreeEntry[],
): Promise<KeptFile[] | undefined> {
  if (!(await isKeepable(code, uri, entries))) return undefined;
  const isFolder = (await fileStat(code, uri))?.isFolder === true;
  const files: KeptFile[] = [];
  for (const entry of [{ path: '', isFolder }, ...entries]) {
    const at = code.Uri.joinPath(uri, entry.path);
    files.push(entry.isFolder ? { uri: at } : await keptFile(code, at));
  }
  return files;
}

/** Whether a file or folder is kept when it is deleted: it is not if it is too large, or has links. */
export async function isKeepable(
  code: typeof vscode,
  uri: vscode.Uri,
  entries: readonly TreeEntry[],
): Promise<boolean> {
  if (entries.some(({ isLink }) => isLink)) return false;
  let size = 0;
  for (const { path } of [{ path: '' }, ...entries.filter(({ isFolder }) => !isFolder)]) {
    const stat = await fileStat(code, code.Uri.joinPath(uri, path));
    size += stat?.isFile ? stat.size : 0;
    if (size > MOST_KEPT) return false;
  }
  return true;
}

async function keptFile({ workspace }: typeof vscode, uri: vscode.Uri): Promise<KeptFile> {
  if (uri.scheme === 'file')
    return { uri, bytes: await readFile(uri.fsPath), mode: (await stat(uri.fsPath)).mode };
  return { uri, bytes: await done(workspace.fs.readFile(uri), `reading ${uri.path}`) };
}

/** The first file or folder that is new, or has other bytes than were kept; undefined if there is none. */
function changedSince(kept: readonly KeptFile[], now: readonly KeptFile[]): vscode.Uri | undefined {
  const known = new Map(kept.map((file) => [file.uri.toString(), file]));
  const isKept = ({ uri, bytes }: KeptFile) => {
    const before = known.get(uri.toString());
    if (!before?.bytes || !bytes) return before !== undefined && !before.bytes === !bytes;
    return Buffer.compare(before.bytes, bytes) === 0;
  };
  return now.find((file) => !isKept(file))?.uri;
}

/** VS Code says that it wrote a file, even if the disk is full. @throws UserError then */
export async function requireWhole(code: typeof vscode, uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  if (uri.scheme !== 'file' || (await fileStat(code, uri))?.size === bytes.length) return;
  throw new UserError(`${code.workspace.asRelativePath(uri)} is not written whole: the disk may be full.`);
}

/** Creates files and folders again. @throws UserError if they are not known, would make a Git directory, or that fails */
export async function restore(code: typeof vscode, files: readonly KeptFile[] | undefined): Promise<void> {
  if (!files) throw new UserError('it was too large to keep, or had links');
  const onDisk = files.filter(({ uri }) => uri.scheme === 'file');
  await requireNoGit(new Map(onDisk.map(({ uri, bytes }) => [uri.fsPath, !bytes])));
  const { fs } = code.workspace;
  for (const { uri, bytes, mode } of files) {
    await done(bytes ? fs.writeFile(uri, bytes) : fs.createDirectory(uri), `restoring ${uri.path}`);
    if (bytes) await requireWhole(code, uri, bytes);
    if (mode !== undefined) await chmod(uri.fsPath, mode);
  }
}

/** Removes folders that were created for something, the innermost first, as far as they are empty now. */
export async function removeEmpty(
  { workspace: { fs } }: typeof vscode,
  folders: readonly vscode.Uri[] = [],
): Promise<void> {
  for (const folder of folders) {
    const isEmpty = (await Promise.resolve(fs.readDirectory(folder)).catch(() => ['gone'])).length === 0;
    if (!isEmpty) return;
    await Promise.resolve(fs.delete(folder)).catch(() => {});
  }
}

/** How long VS Code may take to say that it has no trash, in milliseconds. */
const TRASH_TIMEOUT_MS = 5_000;

/**
 * Whether VS Code moves a deleted file to the trash. No API tells whether a file system has one, but VS Code refuses to move
 * anything there without, even what does not exist.
 */
export async function hasTrash({ workspace, Uri }: typeof vscode, uri: vscode.Uri): Promise<boolean> {
  if (!workspace.getConfiguration('files', uri).get('enableTrash', true)) return false;
  const nothing = Uri.joinPath(uri, '..', `.${randomUUID()}`);
  const answer = Promise.resolve(workspace.fs.delete(nothing, { useTrash: true })).then(
    () => '',
    (error: Error) => error.message,
  );
  return !/trash/i.test(await within(answer, TRASH_TIMEOUT_MS, ''));
}

/** @throws UserError if a file or folder is new or changed */
export async function requireOnly(
  { vscode }: Locator,
  { uri, path }: Location,
  entries: readonly TreeEntry[],
  only: readonly KeptFile[],
): Promise<void> {
  const now = await keptFiles(vscode, uri, entries);
  const changed = now ? changedSince(only, now) : uri;
  if (!changed) return;
  const inside = changed.path.slice(uri.path.length);
  throw new UserError(`${path} is not deleted: ${path}${inside} is new or was changed since.`);
}
