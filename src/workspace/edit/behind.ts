import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { differences } from '../../util/lineDiff.ts';
import { contentOf, textOf } from './content.ts';
import type { Deed, Journal } from './journal.ts';

/** Finds unsaved text that is without what an agent's own tool has written just now. */
export function noteBehind(
  { vscode: { workspace }, journal }: { vscode: typeof vscode; journal: Journal },
  deeds: readonly Deed[],
): void {
  for (const document of workspace.textDocuments) {
    const deed = document.isDirty && deeds.find(({ uri }) => `${uri}` === `${document.uri}`);
    if (deed && isWithout(withLf(document.getText()), deed)) journal.leaveBehind(document);
  }
}

/** Whether a file on the disk has the text that VS Code has of it. @param path absolute */
export function isAsInEditor({ workspace }: typeof vscode, path: string): boolean {
  const document = workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
  return document !== undefined && textOf(contentOf(path)) === withLf(document.getText());
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
