import type * as vscode from 'vscode';
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
