import * as vscode from 'vscode';
import { allVisible, allVisibleText } from '../../../core/text/escapeInvisible.ts';
import { allTabs, HOSTED_SCHEME, showQuietly, uriOf } from '../../../util/tabs.ts';

/** Empty lines before a text: the list of choices covers them. */
const COVERED = 14;

/** Characters after which a line is wrapped, because text far to the right is not seen. */
const LINE = 80;
const FULL_LINE = new RegExp(`.{${LINE}}(?=.)`, 'gu');

/** Texts of hosted servers in read-only editors, for the user to read before answering. */
export class HostedTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider = vscode.workspace.registerTextDocumentContentProvider(HOSTED_SCHEME, this);
  #last = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows a text beside the active editor while `run` runs. Invisible characters in it are escaped. */
  async during<T>(title: string, text: string, run: () => Promise<T>): Promise<T> {
    const path = `/${allVisible(title).replaceAll(/[\\/]/g, '∕')}`;
    const uri = vscode.Uri.from({ scheme: HOSTED_SCHEME, path, query: `${++this.#last}` });
    this.#texts.set(uri.toString(), '\n'.repeat(COVERED) + wrapped(allVisibleText(text)));
    try {
      await showQuietly(vscode, uri);
      return await run();
    } finally {
      this.#texts.delete(uri.toString());
      const tabs = allTabs(vscode).filter((tab) => uriOf(tab)?.toString() === uri.toString());
      await vscode.window.tabGroups.close(tabs, true);
    }
  }

  dispose(): void {
    this.#provider.dispose();
  }
}

/** Indented, so that no part of a line passes as a heading. */
const wrapped = (text: string): string => text.replaceAll(FULL_LINE, '$&\n    ');
