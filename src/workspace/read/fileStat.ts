import type { BigIntStats, Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { withDeadline } from '../../util/deadline.ts';
import { isBinary, SNIFFED } from './decode.ts';
import { judged } from './diskFile.ts';
import type { Locator } from './location.ts';

export interface FileStat {
  isFolder: boolean;
  /** Not a folder, pipe, device or socket. */
  isFile: boolean;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

/** Undefined if nothing is there or it cannot be reached. */
export function fileStat(code: typeof vscode, uri: vscode.Uri): Promise<FileStat | undefined> {
  const found = uri.scheme === 'file' ? onDisk(uri) : virtual(code, uri);
  return found.catch(() => undefined);
}

/** @throws UserError if it is a folder, a pipe or the like; NotFoundError if it was deleted */
export function requireFile({ path }: { path: string }, stat: FileStat | undefined): FileStat {
  if (!stat) throw new NotFoundError(`There is no file or folder ${path}.`);
  if (stat.isFolder) throw new UserError(`${path} is a folder. Pass the path of a file.`);
  if (!stat.isFile) throw new UserError(`${path} is neither a file nor a folder, so it cannot be read.`);
  return stat;
}

async function onDisk({ fsPath }: vscode.Uri): Promise<FileStat> {
  return statOf(await stat(fsPath));
}

export const statOf = (stats: Stats | BigIntStats): FileStat => ({
  isFolder: stats.isDirectory(),
  isFile: stats.isFile(),
  size: Number(stats.size),
  modifiedAt: stats.mtime,
});

async function virtual({ workspace, FileType }: typeof vscode, uri: vscode.Uri): Promise<FileStat> {
  const { type, size, mtime } = await withDeadline(workspace.fs.stat(uri), `looking at ${uri.path}`);
  return {
    isFolder: (type & FileType.Directory) !== 0,
    isFile: (type & FileType.File) !== 0,
    size,
    modifiedAt: new Date(mtime),
  };
}

/** What a list says about a file or folder; empty if it cannot be read. */
export type ListedLook = Partial<FileStat> & { looksLikeText?: boolean };

/**
 * Inspects a listed file. A link may have replaced it before or after the listing, so the file is opened and the opened file
 * is checked. Undefined if it was deleted or is closed.
 *
 * @param sniffs whether to report if a file looks like text
 */
export async function listedLook(
  locator: Locator,
  uri: vscode.Uri,
  sniffs: boolean,
): Promise<ListedLook | undefined> {
  if (uri.scheme !== 'file') return fileStat(locator.vscode, uri);
  const file = await OpenedFile.open(uri.fsPath, locator.inputs.near).catch(unopened);
  if (!(file instanceof OpenedFile)) return file;
  return judged(locator, uri.fsPath, file, async () => {
    const found = statOf(file.stats);
    return {
      ...found,
      ...(sniffs && found.isFile && { looksLikeText: !isBinary(await file.read(SNIFFED)) }),
    };
  });
}

/** Windows cannot open folders. */
const unopened = ({ code }: NodeJS.ErrnoException): ListedLook | undefined =>
  ['EACCES', 'EPERM', 'EISDIR'].includes(code ?? '') ? {} : undefined;
