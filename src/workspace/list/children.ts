import { readdir } from 'node:fs/promises';
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
