import { chmod, readFile, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { withDeadline } from '../../../util/deadline.ts';
import { fileStat } from '../../read/fileStat.ts';
import type { KeptFile } from '../journal.ts';
import type { Entry } from './tree.ts';

/** Most bytes of one deleted or copied folder that are kept to take it back. */
const MOST_KEPT = 20 * 1024 * 1024;
/** How long VS Code may take for a large folder, in milliseconds. */
const PATIENCE = 120_000;

/** @throws UserError with the system's reason */
export const done = <T>(promise: Thenable<T>, what: string): Promise<T> =>
  withDeadline(promise, what, PATIENCE).catch((error) => {
    throw error instanceof UserError ? error : new UserError(`VS Code failed at ${what}: ${error.message}`);
  });

/** A file or folder with all that is in it; undefined if it is too large, or has links. */
export async function keptFiles(
  code: typeof vscode,
  uri: vscode.Uri,
  entries: readonly Entry[],
): Promise<KeptFile[] | undefined> {
  const isFolder = (await fileStat(code, uri))?.isFolder === true;
  if (entries.some(({ isLink }) => isLink)) return undefined;
  const files: KeptFile[] = [];
  let size = 0;
  for (const entry of [{ path: '', isFolder }, ...entries]) {
    const at = code.Uri.joinPath(uri, entry.path);
    size += entry.isFolder ? 0 : ((await fileStat(code, at))?.size ?? 0);
    if (size > MOST_KEPT) return undefined;
    files.push(entry.isFolder ? { uri: at } : await keptFile(code, at));
  }
  return files;
}

async function keptFile({ workspace }: typeof vscode, uri: vscode.Uri): Promise<KeptFile> {
  if (uri.scheme === 'file')
    return { uri, bytes: await readFile(uri.fsPath), mode: (await stat(uri.fsPath)).mode };
  return { uri, bytes: await done(workspace.fs.readFile(uri), `reading ${uri.path}`) };
}

/** The first file or folder that is new, or has other bytes than were kept; undefined if there is none. */
export function changedSince(kept: readonly KeptFile[], now: readonly KeptFile[]): vscode.Uri | undefined {
  const known = new Map(kept.map((file) => [file.uri.toString(), file]));
  const isKept = ({ uri, bytes }: KeptFile) => {
    const before = known.get(uri.toString());
    if (!before?.bytes || !bytes) return before !== undefined && !before.bytes === !bytes;
    return Buffer.compare(before.bytes, bytes) === 0;
  };
  return now.find((file) => !isKept(file))?.uri;
}

/** Creates files and folders again. @throws UserError if they are not known, or that fails */
export async function restore(code: typeof vscode, files: readonly KeptFile[] | undefined): Promise<void> {
  if (!files) throw new UserError('it was too large to keep, or had links; look in the trash');
  const { fs } = code.workspace;
  for (const { uri, bytes, mode } of files) {
    await done(bytes ? fs.writeFile(uri, bytes) : fs.createDirectory(uri), `restoring ${uri.path}`);
    if (mode !== undefined) await chmod(uri.fsPath, mode);
  }
}
