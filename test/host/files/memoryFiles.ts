/** A file system in memory, as an extension brings one: without a search of its own. */
import { posix } from 'node:path';
import * as vscode from 'vscode';

const ROOT = '/project';

export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #files = new Map<string, Uint8Array>();
  /** Directories that were read. */
  readonly looked = new Set<string>();

  constructor(files: Record<string, string>) {
    for (const [path, text] of Object.entries(files)) this.#files.set(`${ROOT}/${path}`, Buffer.from(text));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const size = this.#files.get(path)?.byteLength;
    if (size === undefined && !this.#isFolder(path)) throw vscode.FileSystemError.FileNotFound(path);
    return {
      type: size === undefined ? vscode.FileType.Directory : vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: size ?? 0,
    };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    this.looked.add(path);
    const start = path.endsWith('/') ? path : `${path}/`;
    const below = [...this.#files.keys()].filter((key) => key.startsWith(start));
    const names = new Set(below.map((key) => key.slice(start.length).split('/', 1)[0] as string));
    return [...names].map((name) => [
      name,
      this.stat(vscode.Uri.from({ scheme: 'memory', path: start + name })).type,
    ]);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const content = this.#files.get(path);
    if (!content) throw vscode.FileSystemError.FileNotFound(path);
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const type = this.#files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.#files.set(uri.path, content);
    this.#changed.fire([{ type, uri }]);
  }

  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.path);
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  createDirectory(): void {}

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  #isFolder(path: string): boolean {
    const start = path.endsWith('/') ? path : `${path}/`;
    return posix.normalize(path) === ROOT || [...this.#files.keys()].some((key) => key.startsWith(start));
  }
}
