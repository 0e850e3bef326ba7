import type * as vscode from 'vscode';
import type { CheckState, Diagnostics } from '../../services/language/diagnostics.ts';
import { MARKUP } from '../../workspace/read/notebooks.ts';

/** What is reported of a file, or of one cell of a notebook: to VS Code each is a text of its own. */
export interface Reported {
  diagnostics: readonly vscode.Diagnostic[];
  /** The first one is 1. */
  cell?: { number: number; document: vscode.TextDocument };
}

/** The notebook that a URI is of: its own, or that of one of its cells, which has the same path. Only what is open is known. */
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

/** What is known about all its code cells, once they are checked. @throws CancelledError */
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
