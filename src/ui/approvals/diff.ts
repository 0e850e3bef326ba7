import * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { allVisibleText } from '../../core/text/visible.ts';
import { allTabs, DIFF_SCHEME, uriOf } from '../../util/tabs.ts';

/** The file, and its texts before and after, as `vscode.changes` takes them. */
type Pair = [file: vscode.Uri, left: vscode.Uri, right: vscode.Uri];

/**
 * The texts of VS Code's own diff editor, which the user can open beside the question. The repository's settings affect that editor,
 * so the question itself is the reference. Invisible characters are shown as codes: for some of them VS Code would show a
 * dialog.
 */
export class DiffTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this);
  readonly #texts = new Map<string, string>();
  #pairs: Pair[] = [];
  #title = '';

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Opens the diff and focuses it. @param id of the question. @param diffs at least one */
  async show(id: number, diffs: readonly FileDiff[], title: string): Promise<void> {
    this.#title = title;
    this.#pairs = diffs.map((diff, index) => this.#pair(diff, `${id}-${index}`));
    const [[, left, right] = []] = this.#pairs;
    if (this.#pairs.length > 1) await vscode.commands.executeCommand('vscode.changes', title, this.#pairs);
    else await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  /** Discards the texts. @returns the tabs that show them */
  end(): vscode.Tab[] {
    const tabs = this.#tabs();
    this.#texts.clear();
    this.#pairs = [];
    return tabs;
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #pair({ uri, before, after }: FileDiff, name: string): Pair {
    const side = (which: string, text: string) => {
      const one = uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${name}-${which}` });
      this.#texts.set(one.toString(), allVisibleText(text));
      return one;
    };
    return [uri, side('before', before), side('after', after)];
  }

  /** For an editor of several diffs VS Code exposes only the title. */
  #tabs(): vscode.Tab[] {
    const rights = new Set(this.#pairs.map(([, , right]) => right.toString()));
    return allTabs(vscode).filter((tab) => {
      const uri = uriOf(tab);
      return uri ? rights.has(uri.toString()) : this.#pairs.length > 1 && tab.label.startsWith(this.#title);
    });
  }
}

/** The question that a diff text belongs to; undefined for any other text. */
export const questionIdOf = ({ scheme, query }: vscode.Uri): number | undefined =>
  scheme === DIFF_SCHEME ? Number.parseInt(query, 10) : undefined;
