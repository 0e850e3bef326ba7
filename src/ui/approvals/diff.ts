import * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { allVisibleText } from '../../core/text/escapeInvisible.ts';
import { allTabs, DIFF_SCHEME, uriOf } from '../../util/tabs.ts';

/** The changes that a question is about. */
interface Diffs {
  id: number;
  diffs: readonly FileDiff[];
}

/** The file, and its texts before and after, as `vscode.changes` takes them. */
type Pair = [file: vscode.Uri, left: vscode.Uri, right: vscode.Uri];

/**
 * Where the person has the diff opened, in VS Code's own editor beside the question. The repository's settings shape that
 * editor: what is asked is what the question shows. Characters that do not show are spelled out: VS Code asks what to do with
 * some of them.
 */
export class DiffTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #pairs: Pair[] = [];
  #title = '';

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows what would change, with the keyboard in it. */
  async show({ id, diffs }: Diffs, title: string): Promise<void> {
    this.#title = title;
    this.#pairs = diffs.map((diff, index) => this.#pair(diff, `${id}-${index}`));
    const [[, left, right] = []] = this.#pairs;
    if (this.#pairs.length > 1) await vscode.commands.executeCommand('vscode.changes', title, this.#pairs);
    else await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  /** Forgets the texts. @returns the tabs that show them */
  end(): vscode.Tab[] {
    const tabs = this.#tabs();
    this.#texts.clear();
    this.#pairs = [];
    return tabs;
  }

  #pair({ uri, before, after }: FileDiff, name: string): Pair {
    const side = (which: string, text: string) => {
      const one = uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${name}-${which}` });
      this.#texts.set(one.toString(), allVisibleText(text));
      return one;
    };
    return [uri, side('before', before), side('after', after)];
  }

  /** VS Code tells no more of an editor of several diffs than its title. */
  #tabs(): vscode.Tab[] {
    const rights = new Set(this.#pairs.map(([, , right]) => right.toString()));
    return allTabs(vscode).filter((tab) => {
      const uri = uriOf(tab);
      return uri ? rights.has(uri.toString()) : this.#pairs.length > 1 && tab.label.startsWith(this.#title);
    });
  }
}

/** The question that a text of a diff belongs to; undefined for any other text. */
export const questionIdOf = ({ scheme, query }: vscode.Uri): number | undefined =>
  scheme === DIFF_SCHEME ? Number.parseInt(query, 10) : undefined;
