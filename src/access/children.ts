import { readdir } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { reasonOf, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import type { ListedFile } from './listedFile.ts';

/** What lies directly in a folder. */
export interface Child {
  name: string;
  isFolder: boolean;
  uri: vscode.Uri;
}

/**
 * The files and folders directly in a folder, by the list of all files: so an empty folder is none of them. What lies in
 * a folder is passed over at once; a window may have hundreds of thousands of files.
 *
 * @param files sorted by key
 */
export function childrenOf(
  files: readonly ListedFile[],
  { Uri }: Pick<typeof vscode, 'Uri'>,
  folder: vscode.Uri,
): Child[] {
  const prefix = `${folder.toString().replace(/\/$/, '')}/`;
  const children: Child[] = [];
  let index = firstFrom(files, prefix);
  for (let file = files[index]; file?.key.startsWith(prefix); file = files[index]) {
    const end = file.key.indexOf('/', prefix.length);
    const [name = ''] = file.uri.path.slice(folder.path.replace(/\/$/, '').length + 1).split('/', 1);
    children.push({ name, isFolder: end >= 0, uri: end < 0 ? file.uri : Uri.joinPath(folder, name) });
    index = end < 0 ? index + 1 : firstFrom(files, file.key.slice(0, end) + AFTER_SLASH, index);
  }
  return children;
}

/** The character after `/`: all that lies in a folder sorts before its name with this one. */
const AFTER_SLASH = '0';

/** Index of the first file whose key is not before the given one, by binary search. */
function firstFrom(files: readonly ListedFile[], key: string, from = 0): number {
  let low = from;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((files[middle] as ListedFile).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What lies in a folder on the disk, for one of which there is no list. @throws UserError where it cannot be listed */
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

/** Names of all that lies in a folder; none where it cannot be listed. */
export async function namesIn({ workspace }: typeof vscode, folder: vscode.Uri): Promise<string[]> {
  const names =
    folder.scheme === 'file'
      ? readdir(folder.fsPath)
      : withDeadline(workspace.fs.readDirectory(folder), `listing ${folder.path}`).then((entries) =>
          entries.map(([name]) => name),
        );
  return names.catch(() => []);
}
