import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Guard } from '../../../access/accessRules.ts';
import { policyPath } from '../../../access/policyInputs.ts';
import { UserError } from '../../../core/errors.ts';
import { counted } from '../../../core/text/cut.ts';
import { type Made, wouldBecomeGit } from '../../../disk/gitDirectories.ts';
import { withDeadline } from '../../../util/clock.ts';
import { fileStat } from '../../read/diskFile.ts';
import { locateUri } from '../../read/locateUri.ts';
import type { Location, Locator } from '../../read/location.ts';

/** Most files and folders in a folder that an agent may move, copy or delete. */
const MOST = 20_000;

export interface TreeEntry {
  /** From the folder on, with `/`. */
  path: string;
  isFolder: boolean;
  isLink: boolean;
}

/**
 * All that is in a folder, each folder before what is in it; links are not followed. Empty for a file.
 *
 * @throws UserError if there is too much, or some of it is closed to the agent
 */
export async function entriesIn(locator: Locator, location: Location): Promise<TreeEntry[]> {
  const { vscode, policy } = locator;
  const { workspace, FileType, Uri } = vscode;
  const entries: TreeEntry[] = [];
  let closed = 0;
  const look = async (folder: string): Promise<void> => {
    const uri = Uri.joinPath(location.uri, folder);
    const found = await withDeadline(workspace.fs.readDirectory(uri), `listing ${location.path}`);
    for (const [name, type] of found.sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const isLink = (type & FileType.SymbolicLink) !== 0;
      const isFolder = !isLink && (type & FileType.Directory) !== 0;
      if (entries.push({ path, isFolder, isLink }) > MOST)
        throw new UserError(`${location.path} holds more than ${MOST} files. Ask the user to do it.`);
      if (!policy.mayList(policyPath(Uri.joinPath(location.uri, path)))) closed++;
      else if (isFolder) await look(path);
    }
  };
  await look('');
  if (await wouldBecomeGit(madeAt(location, true, entries))) closed++; // it is one already
  if (closed > 0)
    throw new UserError(
      `${location.path} holds ${counted(closed, 'file or folder that is', 'files or folders that are')} closed to you. Nothing was changed. Ask the user to do it.`,
    );
  return entries;
}

type Place = Pick<Location, 'uri' | 'realPath'>;

/** Finds why the user is asked each time about something in a folder, by all its names. */
export async function guardsIn(
  { inputs, policy, vscode: { Uri } }: Locator,
  { uri, realPath = uri.fsPath }: Place,
): Promise<(entry: Pick<TreeEntry, 'path' | 'isFolder'>) => Guard | undefined> {
  const guardOf = await inputs.guards(policy);
  return ({ path, isFolder }) => guardOf(policyPath(Uri.joinPath(uri, path)), join(realPath, path), isFolder);
}

/** Why the user is asked each time about a file or folder, or something in it. */
export async function guardIn(
  locator: Locator,
  place: Place,
  isFolder: boolean,
  entries: readonly TreeEntry[],
): Promise<Guard | undefined> {
  const guardOf = await guardsIn(locator, place);
  const own = guardOf({ path: '', isFolder });
  if (own) return own;
  for (const entry of entries) {
    const inside = guardOf(entry);
    if (inside) return { guarded: inside.guarded };
  }
  return undefined;
}

/** @throws UserError if something is closed to the agent under its new path */
export function requireOpen(
  { policy, vscode: { Uri } }: Locator,
  target: Pick<Location, 'uri' | 'path'>,
  entries: readonly TreeEntry[],
): void {
  const isOpen = ({ path }: TreeEntry) => policy.mayList(policyPath(Uri.joinPath(target.uri, path)));
  if (entries.every(isOpen)) return;
  throw new UserError(
    `${target.path} would hold files that are closed to you there. Nothing was changed. Ask the user to do it.`,
  );
}

/** What comes to a path on this disk; nothing in a virtual file system, which Git does not use. */
export function madeAt(
  { realPath }: { realPath?: string | undefined },
  isFolder: boolean,
  entries: readonly { path: string; isFolder: boolean }[] = [],
): Made {
  if (realPath === undefined) return new Map();
  const inside = entries.map((one) => [join(realPath, one.path), one.isFolder] as const);
  return new Map([[realPath, isFolder], ...inside]);
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
