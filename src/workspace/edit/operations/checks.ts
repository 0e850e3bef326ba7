import { lstat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { fileStat } from '../../read/fileStat.ts';
import { locateUri } from '../../read/locateUri.ts';
import type { Location, Locator } from '../../read/location.ts';
import type { KeptFile } from '../journal.ts';
import { changedSince, keptFiles } from './keptFiles.ts';
import type { Entry } from './tree.ts';

/** @throws UserError if a file or folder is new or changed */
export async function requireOnly(
  { vscode }: Locator,
  { uri, path }: Location,
  entries: readonly Entry[],
  only: readonly KeptFile[],
): Promise<void> {
  const now = await keptFiles(vscode, uri, entries);
  const changed = now ? changedSince(only, now) : uri;
  if (!changed) return;
  const inside = changed.path.slice(uri.path.length);
  throw new UserError(`${path} is not deleted: ${path}${inside} is new or was changed since.`);
}

/** @returns whether it is a folder. @throws UserError if it is a link, a workspace folder, or no longer the same */
export async function requireOwn(locator: Locator, location: Location): Promise<boolean> {
  const { uri, path, realPath } = location;
  const now = await locateUri(locator, uri.toString());
  if (now.realPath !== realPath) throw new UserError(`${path} was replaced meanwhile. Nothing was changed.`);
  if (uri.scheme === 'file' && (await lstat(uri.fsPath)).isSymbolicLink())
    throw new UserError(`${path} is a link. Pass the path that it leads to, or ask the user.`);
  const folders = locator.vscode.workspace.workspaceFolders ?? [];
  if (folders.some((folder) => `${folder.uri.path}/`.startsWith(`${uri.path}/`)))
    throw new UserError(`${path} holds a workspace folder. Ask the user to do it.`);
  const stat = await fileStat(locator.vscode, uri);
  if (!stat?.isFolder && !stat?.isFile) throw new UserError(`${path} is neither a file nor a folder.`);
  return stat.isFolder;
}

/** The paths of texts and notebooks that are not saved. */
export function unsavedIn({ vscode: { workspace } }: Locator, uri: vscode.Uri): string[] {
  const open = [...workspace.textDocuments, ...workspace.notebookDocuments];
  const isIn = (one: vscode.Uri) =>
    one.scheme === uri.scheme && (one.path === uri.path || one.path.startsWith(`${uri.path}/`));
  return open
    .filter((one) => one.isDirty && !one.isUntitled && isIn(one.uri))
    .map((one) => workspace.asRelativePath(one.uri));
}
