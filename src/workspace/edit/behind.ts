import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { differences } from '../../util/lineDiff.ts';
import type { Deed } from './journal.ts';

/** Documents with unsaved text of the user that is without what an agent's own tool has written on the disk. */
const behind = new WeakSet<vscode.TextDocument>();

/** Whether a document is one of these, until it is saved or reverted. */
export function isBehind(document: vscode.TextDocument): boolean {
  if (!document.isDirty) behind.delete(document);
  return behind.has(document);
}

/** Call it with what an agent's own tool has written just now. */
export function noteBehind({ workspace }: typeof vscode, deeds: readonly Deed[]): void {
  for (const document of workspace.textDocuments) {
    const deed = document.isDirty && deeds.find(({ uri }) => `${uri}` === `${document.uri}`);
    if (deed && isWithout(withLf(document.getText()), deed)) behind.add(document);
  }
}

/** The user may have typed after the change, or before it: then the text is no nearer to the new one. */
const isWithout = (text: string, deed: Deed): boolean =>
  deed.type === 'delete' ||
  (deed.type === 'edit' && distance(text, deed.before) <= distance(text, deed.after));

/** In UTF-16 units of lines that differ. */
const distance = (one: string, other: string): number =>
  differences(one, other).reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? value.length : 0),
    0,
  );
