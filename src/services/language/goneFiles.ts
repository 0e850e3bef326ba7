import type * as vscode from 'vscode';
import { withDeadline } from '../../util/clock.ts';
import { fileStat } from '../../workspace/read/diskFile.ts';
import { checkersOf, hiddenDocument } from './checkers.ts';
import { languagesIn } from './languages.ts';

/** A language that no server takes texts of. */
const NONE = 'plaintext';

/**
 * Files that have gone from the disk while VS Code has their texts loaded, for some minutes, though no tab shows them: a server that still
 * has the text open finds nothing wrong in the files that import it. So it gets to close the text, and to open it once the file is back.
 */
export class GoneFiles {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const watcher = code.workspace.createFileSystemWatcher('**/*', false, true, false);
    const look = (uri: vscode.Uri) => void this.#look(uri).catch(() => {});
    this.#subscriptions = [watcher, watcher.onDidCreate(look), watcher.onDidDelete(look)];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** @param changed a file, or a folder with all that is in it */
  async #look(changed: vscode.Uri): Promise<void> {
    const code = this.#vscode;
    for (const document of [...code.workspace.textDocuments]) {
      const { uri, languageId, isDirty } = document;
      if (isDirty || !`${uri}/`.startsWith(`${changed}/`)) continue;
      if (languageId === NONE) await openAgain(code, document);
      else if (checkersOf(code, languageId).length > 0 && !(await isThere(code, uri)))
        await become(code, document, NONE);
    }
  }
}

/** Has the server of a text take it again whose file was gone, and is back. */
export async function openAgain(code: typeof vscode, document: vscode.TextDocument): Promise<void> {
  const { uri, languageId } = document;
  if (languageId !== NONE || uri.scheme !== 'file') return;
  const named = languagesIn(code).of(uri.path);
  if (named !== undefined && named !== NONE && (await isThere(code, uri)))
    await become(code, document, named);
}

const isThere = async (code: typeof vscode, uri: vscode.Uri): Promise<boolean> =>
  (await fileStat(code, uri)) !== undefined;

/** A text that the user sees stays what it is. */
async function become(code: typeof vscode, document: vscode.TextDocument, languageId: string): Promise<void> {
  if (hiddenDocument(code, document.uri) !== document) return;
  const change = code.languages.setTextDocumentLanguage(document, languageId);
  await withDeadline(change, `changing the language of ${document.uri.path}`);
}
