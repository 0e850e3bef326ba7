import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { reasonOf, UserError } from '../../core/errors.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { withDeadline } from '../../util/clock.ts';
import { type FileStat, fileStat, judged, statOf } from '../read/diskFile.ts';
import { permitted } from '../read/locateUri.ts';
import type { Location, Locator } from '../read/location.ts';
import { isBinary, requireSame, SNIFFED } from '../read/readContent.ts';
import { AFTER_SLASH, type FileList } from './fileList.ts';

export interface Child {
  name: string;
  isFolder: boolean;
  uri: vscode.Uri;
  isLink?: true;
}

/**
 * The direct children of a folder, from the list of all files; empty folders are missing. Each subfolder's content is skipped
 * in one step, as a window may have hundreds of thousands of files.
 */
function childrenOf(files: FileList, { Uri }: Pick<typeof vscode, 'Uri'>, folder: vscode.Uri): Child[] {
  const prefix = `${folder.toString().replace(/\/$/, '')}/`;
  const children: Child[] = [];
  for (let from: string | undefined = prefix; from !== undefined; ) {
    let next: string | undefined;
    for (const file of files.from(from)) {
      if (!file.key.startsWith(prefix)) break;
      const end = file.key.indexOf('/', prefix.length);
      const { path } = file.uri;
      const [name = ''] = path.slice(folder.path.replace(/\/$/, '').length + 1).split('/', 1);
      children.push({ name, isFolder: end >= 0, uri: end < 0 ? file.uri : Uri.joinPath(folder, name) });
      if (end < 0) continue;
      next = file.key.slice(0, end) + AFTER_SLASH;
      break;
    }
    from = next;
  }
  return children;
}

/** The direct children of a folder on the disk that no list covers. @throws UserError if it cannot be listed */
async function childrenOnDisk({ Uri }: typeof vscode, folder: vscode.Uri): Promise<Child[]> {
  const entries = await readdir(folder.fsPath, { withFileTypes: true }).catch((error: Error) => {
    throw new UserError(`${folder.fsPath} cannot be listed: ${reasonOf(error)}`);
  });
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      uri: Uri.joinPath(folder, entry.name),
    }));
}

/** How many folders are looked into to see that one is empty. */
const MOST_LOOKS = 20;

/** What the list of all files lacks in a folder on the disk: links, and folders without files. */
async function otherChildren({ Uri }: typeof vscode, folder: vscode.Uri, listed: readonly Child[]) {
  const names = new Set(listed.map(({ name }) => name));
  const all = await readdir(folder.fsPath, { withFileTypes: true }).catch(() => []);
  const entries = all.filter(({ name }) => !names.has(name));
  const found = entries.map(async (entry): Promise<Child[]> => {
    const { name } = entry;
    const uri = Uri.joinPath(folder, name);
    if (entry.isSymbolicLink()) return [{ name, uri, isFolder: false, isLink: true }];
    return entry.isDirectory() && (await isBare(uri.fsPath)) ? [{ name, uri, isFolder: true }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Whether there is no file in a folder, nor in those in it. */
async function isBare(path: string): Promise<boolean> {
  const waiting = [path];
  for (let looks = 0; waiting.length > 0; looks++) {
    const next = waiting.pop() ?? path;
    const entries =
      looks < MOST_LOOKS ? await readdir(next, { withFileTypes: true }).catch(() => undefined) : undefined;
    if (!entries?.every((entry) => entry.isDirectory())) return false;
    waiting.push(...entries.map(({ name }) => join(next, name)));
  }
  return true;
}

/** All names in a folder; none if it cannot be listed. */
export async function namesIn({ workspace }: typeof vscode, folder: vscode.Uri): Promise<string[]> {
  const names =
    folder.scheme === 'file'
      ? readdir(folder.fsPath)
      : withDeadline(workspace.fs.readDirectory(folder), `listing ${folder.path}`).then((entries) =>
          entries.map(([name]) => name),
        );
  return names.catch(() => []);
}

export interface Children {
  children: readonly Child[];
  /** The folder itself is ignored. */
  isIgnored?: boolean;
}

/** The direct children of a folder, in no order; of one that is ignored, all that are not closed. @throws UserError, CancelledError */
export async function childrenIn(
  locator: Locator,
  location: Location,
  list: () => Promise<FileList>,
  isOpen: (uri: vscode.Uri) => boolean,
): Promise<Children> {
  const { uri, targetUri = uri } = location;
  const { vscode, policy } = locator;
  policy.requireOperation('read');
  if (vscode.workspace.getWorkspaceFolder(targetUri)) {
    const listed = childrenOf(await list(), vscode, targetUri);
    if (targetUri.scheme !== 'file') return { children: listed };
    const others = await otherChildren(vscode, targetUri, listed);
    const children = [...listed, ...others.filter((child) => isOpen(child.uri))];
    if (children.length > 0) return { children };
  }
  const onDisk = await childrenOnDisk(vscode, targetUri);
  await requireSame(locator, location); // a link may have replaced it
  return { children: onDisk.filter((child) => isOpen(child.uri)), isIgnored: onDisk.length > 0 };
}

/** Files of a folder by the end of their names, as far as they are open to the agent; sorted. */
export async function filesIn(locator: Locator, folder: vscode.Uri, ending: string): Promise<Location[]> {
  const { vscode } = locator;
  const names = (await namesIn(vscode, folder)).filter((name) => name.endsWith(ending)).sort();
  const found = await Promise.all(names.map((name) => permitted(locator, vscode.Uri.joinPath(folder, name))));
  return found.filter((location) => location !== undefined);
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
