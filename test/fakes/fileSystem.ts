/** `vscode.workspace.fs` over the disk, whatever the scheme. */
import { cp, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';

export class FakeFileSystem {
  /** Paths of the directories that were read, and of the files. */
  readonly read: string[] = [];
  hasTrash = false;
  /** What comes before a file is read: it may fail, or never end. */
  beforeReading: (path: string) => Promise<void> = async () => {};

  readonly api = {
    stat: async ({ fsPath }: vscode.Uri) => {
      const found = await stat(fsPath);
      return { type: typeOf(found), ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
    },
    readDirectory: async ({ fsPath }: vscode.Uri) => {
      this.read.push(fsPath);
      const entries = await readdir(fsPath, { withFileTypes: true });
      const typed = entries.map(async (entry) => {
        const target = entry.isSymbolicLink() ? await stat(join(fsPath, entry.name)) : undefined;
        return [entry.name, target ? 64 | typeOf(target) : typeOf(entry)] as const;
      });
      return Promise.all(typed);
    },
    writeFile: async ({ fsPath }: vscode.Uri, bytes: Uint8Array) => writeFile(fsPath, bytes),
    createDirectory: async ({ fsPath }: vscode.Uri) => void (await mkdir(fsPath, { recursive: true })),
    copy: async (from: vscode.Uri, to: vscode.Uri) =>
      cp(from.fsPath, to.fsPath, { recursive: true, errorOnExist: true, force: false }),
    delete: async ({ fsPath }: vscode.Uri, { recursive = false, useTrash = false } = {}) => {
      if (useTrash && !this.hasTrash) throw new Error('the provider has no trash');
      await (recursive ? rm(fsPath, { recursive }) : rmdir(fsPath).catch(() => rm(fsPath)));
    },
    readFile: async ({ fsPath }: vscode.Uri) => {
      this.read.push(fsPath);
      await this.beforeReading(fsPath);
      return new Uint8Array(await readFile(fsPath));
    },
  };
}

const typeOf = (it: { isFile(): boolean; isDirectory(): boolean }): vscode.FileType =>
  it.isFile() ? 1 : it.isDirectory() ? 2 : 0;
