import { isAbsolute, join, relative, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { isWithin } from '../../core/paths.ts';
import { realPathOf } from '../../util/diskPaths.ts';

/** A file in a workspace folder. */
export interface Place {
  /** Absolute, as VS Code spells it. */
  path: string;
  uri: vscode.Uri;
}

/** Where paths are in the workspace folders; those that are outside are left out. @param cwd what relative paths are relative to */
export const placesOf = (paths: readonly string[], code: typeof vscode, cwd = ''): Place[] =>
  paths
    .map((path) => (isAbsolute(path) ? resolve(path) : join(cwd, path)))
    .flatMap((path) => placeOf(path, code) ?? []);

function placeOf(path: string, { workspace, Uri }: typeof vscode): Place | undefined {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.some(({ uri }) => isWithin(path, uri.fsPath, process.platform)))
    return { path, uri: Uri.file(path) };
  const real = realPathOf(path);
  for (const { uri } of folders) {
    const folder = realPathOf(uri.fsPath);
    if (!isWithin(real, folder, process.platform)) continue;
    const own = Uri.joinPath(uri, relative(folder, real));
    return { path: own.fsPath, uri: own };
  }
  return undefined;
}
