import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import { isWithin } from '../../core/paths.ts';
import type { Answer } from '../connection/client.ts';

type Folders = Pick<typeof vscode.workspace, 'workspaceFolders'>;

/**
 * Answers `roots/list` with the workspace folders on disk.
 *
 * @param only absolute paths of directories; if given, the roots are what is both in them and in the workspace
 */
export const rootsAnswer =
  (workspace: Folders, only?: readonly string[], platform = process.platform): Answer =>
  async () => {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const roots = folders.flatMap(({ uri, name }) =>
      narrowed(uri.fsPath, only, platform).map((path) => ({
        uri: path === uri.fsPath ? uri.toString() : pathToFileURL(path).href,
        name,
      })),
    );
    return { roots: roots.filter(({ uri }, index) => roots.findIndex((one) => one.uri === uri) === index) };
  };

function narrowed(folder: string, only: readonly string[] | undefined, platform: NodeJS.Platform): string[] {
  if (!only || only.some((directory) => isWithin(folder, directory, platform))) return [folder];
  return only.filter((directory) => isWithin(directory, folder, platform));
}
