import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../access/consent/types.ts';
import { DIFF_SCHEME, quietPlace, uriOf } from '../../util/tabs.ts';

/** Serves the texts of the diffs that are shown; they are kept no longer than that. */
export class DiffTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  /** Whether there is a group of editors for our sake only. */
  #hasMadeGroup = false;
  #closing: Promise<void> = Promise.resolve();

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows what would change, once for a question: the keyboard stays where it is. What is disposed of takes it away. */
  async show(
    { uri, before, after }: NonNullable<ApprovalRequest['diff']>,
    title: string,
    questionId: number,
  ): Promise<vscode.Disposable> {
    await this.#closing; // what goes is nothing to open the next one beside
    const side = (name: string) =>
      uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${questionId}-${name}` });
    const [left, right] = [side('before'), side('after')];
    this.#texts.set(left.toString(), before);
    this.#texts.set(right.toString(), after);
    const groups = vscode.window.tabGroups.all.length;
    const place = placeOf(right);
    if (place) await vscode.commands.executeCommand('vscode.diff', left, right, title, place);
    if (vscode.window.tabGroups.all.length > groups) this.#hasMadeGroup = true;
    return new vscode.Disposable(() => {
      this.#texts.delete(left.toString());
      this.#texts.delete(right.toString());
      this.#closing = this.#close(right).catch(() => {}); // the person has closed it in this moment
    });
  }

  /** A group that was made for diffs goes with the last one, also where VS Code keeps those that are empty. */
  async #close(right: vscode.Uri): Promise<void> {
    const { tabGroups } = vscode.window;
    const tabs = tabsOf(right);
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

/** Where it is open already, or beside what the person has open; undefined where they see it. */
function placeOf(right: vscode.Uri): vscode.TextDocumentShowOptions | undefined {
  const [tab] = tabsOf(right);
  if (!tab) return quietPlace(vscode);
  return tab.isActive ? undefined : { viewColumn: tab.group.viewColumn, preserveFocus: true };
}

const tabsOf = (right: vscode.Uri): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => uriOf(tab)?.toString() === right.toString());
