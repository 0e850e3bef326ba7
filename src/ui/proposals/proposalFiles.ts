import * as vscode from 'vscode';
import { delay } from '../../util/clock.ts';

/** Makes VS Code read the bytes as UTF-8, whatever encoding the user has set. */
const MARK = '\ufeff';

interface KeptText {
  bytes: Uint8Array;
  isReadOnly: boolean;
  mtime: number;
}

const denied = (): never => {
  throw vscode.FileSystemError.NoPermissions();
};

/** The texts of proposals, in memory. Files, because VS Code lets nobody edit other documents without asking to save them. */
export class ProposalFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, KeptText>();
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

  readonly createDirectory = denied;
  readonly delete = denied;
  readonly rename = denied;

  #get(uri: vscode.Uri): KeptText {
    const found = this.#files.get(uri.toString());
    if (!found) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}

/** How often to look whether a text is saved, in milliseconds. */
const PAUSE = 50;

/**
 * Resolves once the document is saved, with what was just typed and is still on its way from the window, or closed. Tries again
 * while another save is in progress, beside which VS Code refuses one. A tab that is closed before makes VS Code ask the user.
 *
 * @param hasDirtyTab whether the window shows the document as not saved
 */
export async function saved(
  document: Pick<vscode.TextDocument, 'isClosed' | 'isDirty' | 'save'>,
  hasDirtyTab: () => boolean,
): Promise<void> {
  while (!document.isClosed) {
    if ((await document.save()) && !document.isDirty && !hasDirtyTab()) return;
    await delay(PAUSE);
  }
}
