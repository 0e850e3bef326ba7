import type * as vscode from 'vscode';
import type { CheckState, Diagnostics } from '../../services/language/diagnostics.ts';
import { MARKUP } from '../../workspace/read/notebooks.ts';

/** Problems of a file, or of one notebook cell, which is a document of its own in VS Code. */
export interface Reported {
  diagnostics: readonly vscode.Diagnostic[];
  /** The first one is 1. */
  cell?: { number: number; document: vscode.TextDocument };
}

/** The open notebook with this URI, or with a cell of this URI. Both have the same path. */
export const notebookOf = (
  { workspace }: typeof vscode,
  uri: vscode.Uri,
): vscode.NotebookDocument | undefined =>
  workspace.notebookDocuments
    .filter((notebook) => notebook.uri.path === uri.path)
    .find((notebook) =>
      [notebook, ...notebook.getCells().map(({ document }) => document)].some(
        (one) => one.uri.toString() === uri.toString(),
      ),
    );

/** Checks its code cells, and combines their states. @throws CancelledError */
export async function checkCells(
  notebook: vscode.NotebookDocument,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<CheckState> {
  const cells = notebook.getCells().filter(({ kind }) => kind !== MARKUP);
  const checked = await Promise.all(cells.map(({ document }) => diagnostics.ofShown(document, signal)));
  const has = (wanted: CheckState) => checked.some(({ state }) => state === wanted);
  return has('pending') ? 'pending' : has('checked') ? 'checked' : 'unchecked';
}

/** The cells with problems. */
export const ofCells = ({ languages }: typeof vscode, notebook: vscode.NotebookDocument): Reported[] =>
  notebook.getCells().flatMap(({ document }, index) => {
    const diagnostics = languages.getDiagnostics(document.uri);
    return diagnostics.length > 0 ? { diagnostics, cell: { number: index + 1, document } } : [];
  });
