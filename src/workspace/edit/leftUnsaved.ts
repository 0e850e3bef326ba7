import type * as vscode from 'vscode';

const versions = new WeakMap<vscode.TextDocument, number>();

/** Records that a document's unsaved text comes from a reverted edit, not from the user. */
export function leaveUnsaved(document: vscode.TextDocument): void {
  versions.set(document, document.version);
}

/** Whether that still holds: any later change makes the text the user's. */
export const isLeftUnsaved = (document: vscode.TextDocument): boolean =>
  versions.get(document) === document.version;
