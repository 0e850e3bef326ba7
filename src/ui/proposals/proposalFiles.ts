import * as vscode from 'vscode';

/** Makes VS Code read the bytes as UTF-8, whatever encoding the user has set. */
const MARK = '\ufeff';

interface Kept {
  bytes: Uint8Array;
  isReadOnly: boolean;
  mtime: number;
}

/** The texts of proposals, in memory. Files, because VS Code lets nobody edit other documents without asking to save them. */
export class ProposalFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Kept>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  put(uri: vscode.Uri, text: string, isReadOnly: boolean): void {
    const bytes = new TextEncoder().encode(MARK + text);
    this.#files.set(uri.toString(), { bytes, isReadOnly, mtime: Date.now() });
  }

  /** The text as it was last saved. */
  textOf(uri: vscode.Uri): string {
    return new TextDecoder().decode(this.#get(uri).bytes);
  }

  remove(uri: vscode.Uri): void {
    this.#files.delete(uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, isReadOnly, mtime } = this.#get(uri);
    const permissions = isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length, ...permissions };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#get(uri).bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    Object.assign(this.#get(uri), { bytes, mtime: Date.now() });
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  #get(uri: vscode.Uri): Kept {
    const found = this.#files.get(uri.toString());
    if (!found) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}
