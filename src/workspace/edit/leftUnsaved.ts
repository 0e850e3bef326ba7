import type * as vscode from 'vscode';

const versions = new WeakMap<vscode.TextDocument, number>();

/** Notes that the unsaved text of a document is what was left when an edit was taken back, and nobody's own. */
export function leaveUnsaved(document: vscode.TextDocument): void {
  versions.set(document, document.version);
}

/** Whether that is still so: any change makes it the user's. */
export const isLeftUnsaved = (document: vscode.TextDocument): boolean =>
  versions.get(document) === document.version;
