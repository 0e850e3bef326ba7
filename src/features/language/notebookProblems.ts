import type * as vscode from 'vscode';
import type { Diagnostics } from '../../services/language/diagnostics.ts';

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

/** Whether the language servers have seen the present text of its cells. @throws CancelledError */
export async function cellsCaughtUp(
  notebook: vscode.NotebookDocument,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<boolean> {
  const cells = notebook.getCells().map(({ document }) => diagnostics.caughtUp(document.uri, signal));
  return (await Promise.all(cells)).every(Boolean);
}

/** What is reported of its cells, without those of which nothing is. */
export const ofCells = ({ languages }: typeof vscode, notebook: vscode.NotebookDocument): Reported[] =>
  notebook.getCells().flatMap(({ document }, index) => {
    const diagnostics = languages.getDiagnostics(document.uri);
    return diagnostics.length > 0 ? { diagnostics, cell: { number: index + 1, document } } : [];
  });
