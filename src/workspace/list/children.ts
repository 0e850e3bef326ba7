import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { reasonOf, UserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import { slashed } from '../read/displayPath.ts';
import type { FileList } from './fileList.ts';
import { AFTER_SLASH } from './sorted.ts';

/** A direct child of a folder. */
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
export function childrenOf(
  files: FileList,
  { Uri }: Pick<typeof vscode, 'Uri'>,
  folder: vscode.Uri,
): Child[] {
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
export async function childrenOnDisk({ Uri }: typeof vscode, folder: vscode.Uri): Promise<Child[]> {
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
export async function otherChildren(
  { Uri }: typeof vscode,
  folder: vscode.Uri,
  listed: readonly Child[],
): Promise<Child[]> {
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

/**
 * All names in a folder; none if it cannot be listed.
 *
 * @param isDeep of folders on the disk, also the names in its subfolders: `a/b`
 */
export async function namesIn(
  { workspace }: typeof vscode,
  folder: vscode.Uri,
  isDeep = false,
): Promise<string[]> {
  const names =
    folder.scheme === 'file'
      ? readdir(folder.fsPath, { recursive: isDeep }).then((all) => all.map(slashed))
      : withDeadline(workspace.fs.readDirectory(folder), `listing ${folder.path}`).then((entries) =>
          entries.map(([name]) => name),
        );
  return names.catch(() => []);
}
