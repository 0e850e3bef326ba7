import type * as vscode from 'vscode';
import { isWithin } from '../../src/core/paths.ts';
import { Emitter } from './emitter.ts';
import { Uri } from './values.ts';

/** A folder by its path, or with the name from the workspace file; in a virtual file system also with its scheme. */
export type FakeFolder = string | { path: string; name: string; scheme?: string };

/** The folders of a workspace. */
export class FakeFolders {
  readonly onChange = new Emitter<vscode.WorkspaceFoldersChangeEvent>();
  all: readonly vscode.WorkspaceFolder[] = [];

  /** The innermost folder that contains this. */
  of(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
    return [...this.all]
      .sort((a, b) => b.uri.path.length - a.uri.path.length)
      .find(
        ({ uri: { scheme, path } }) => scheme === uri.scheme && isWithin(uri.path, path, process.platform),
      );
  }

  opens(folders: readonly FakeFolder[]): void {
    this.all = folders.map(folderOf);
    this.onChange.fire({ added: [], removed: [] });
  }
}

const folderOf = (folder: FakeFolder, index: number): vscode.WorkspaceFolder => {
  const { path, scheme = 'file' } = typeof folder === 'string' ? { path: folder } : folder;
  const uri = Uri.file(path).with({ scheme });
  const name = typeof folder === 'string' ? uri.path.slice(uri.path.lastIndexOf('/') + 1) : folder.name;
  return { uri, name, index };
};
