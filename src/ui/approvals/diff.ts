import * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { DIFF_SCHEME, quietPlace, uriOf } from '../../util/tabs.ts';

/** The changes that a question is about. */
interface Diffs {
  id: number;
  diffs: readonly FileDiff[];
}

/** The file, and its texts before and after, as `vscode.changes` takes them. */
type Pair = [file: vscode.Uri, left: vscode.Uri, right: vscode.Uri];

/** Serves the texts of the diffs that are shown; they are kept no longer than that. */
export class DiffTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  /** Whether there is a group of editors for our sake only. */
  #hasMadeGroup = false;
  #closing: Promise<void> = Promise.resolve();

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /**
   * Shows what would change, once for a question: the keyboard stays where it is. Of several files that is the first; all
   * of them are shown in one editor, which takes the keyboard, when the user asks for it. Disposing takes it away.
   */
  async show({ id, diffs }: Diffs, title: string, isAskedFor: boolean): Promise<vscode.Disposable> {
    await this.#closing; // a closing group is not one to open the next diff beside
    const pairs = diffs.map((diff, index) => this.#pair(diff, `${id}-${index}`));
    const groups = vscode.window.tabGroups.all.length;
    if (isAskedFor && pairs.length > 1) await vscode.commands.executeCommand('vscode.changes', title, pairs);
    else if (pairs[0]) await showOne(pairs[0], title);
    if (vscode.window.tabGroups.all.length > groups) this.#hasMadeGroup = true;
    return new vscode.Disposable(() => {
      for (const [, ...sides] of pairs) for (const side of sides) this.#texts.delete(side.toString());
      const tabs = tabsOf(pairs, title);
      this.#closing = this.#close(tabs).catch(() => {}); // the user has closed it in this moment
    });
  }

  #pair({ uri, before, after }: FileDiff, name: string): Pair {
    const side = (which: string, text: string) => {
      const one = uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${name}-${which}` });
      this.#texts.set(one.toString(), text);
      return one;
    };
    return [uri, side('before', before), side('after', after)];
  }

  /** A group that was made for diffs goes with the last one, also where VS Code keeps those that are empty. */
  async #close(tabs: readonly vscode.Tab[]): Promise<void> {
    const { tabGroups } = vscode.window;
    const [group] = tabs.map((tab) => tab.group);
    await tabGroups.close(tabs); // the keyboard goes on to the next editor, if it was in this one
    if (!this.#hasMadeGroup || this.#texts.size > 0) return;
    this.#hasMadeGroup = false;
    if (group?.tabs.length === 0 && tabGroups.all.includes(group)) await tabGroups.close(group, true);
  }
}

/** The question that a text of a diff belongs to; undefined for any other text. */
export const questionIdOf = ({ scheme, query }: vscode.Uri): number | undefined =>
  scheme === DIFF_SCHEME ? Number.parseInt(query, 10) : undefined;

async function showOne([, left, right]: Pair, title: string): Promise<void> {
  const place = placeOf(right);
  if (place) await vscode.commands.executeCommand('vscode.diff', left, right, title, place);
}

/** Where it is open already, or beside what the user has open; undefined if they see it. */
function placeOf(right: vscode.Uri): vscode.TextDocumentShowOptions | undefined {
  const [tab] = allTabs().filter((one) => uriOf(one)?.toString() === right.toString());
  if (!tab) return quietPlace(vscode);
  return tab.isActive ? undefined : { viewColumn: tab.group.viewColumn, preserveFocus: true };
}

const allTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** The tabs of a question. VS Code tells no more of an editor of several diffs than its title. */
function tabsOf(pairs: readonly Pair[], title: string): vscode.Tab[] {
  const rights = new Set(pairs.map(([, , right]) => right.toString()));
  return allTabs().filter((tab) => {
    const uri = uriOf(tab);
    return uri ? rights.has(uri.toString()) : pairs.length > 1 && tab.label.startsWith(title);
  });
}
