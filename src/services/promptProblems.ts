import type * as vscode from 'vscode';

export interface PromptProblem {
  /** For the user, in their language. */
  message: string;
  /** In UTF-16 units from the start of the text. */
  offset: number;
  length?: number;
}

/** The mistakes in files with prompts, in the Problems view. One per window: agents that load the same file report the same. */
export function promptProblems({ Diagnostic, DiagnosticSeverity, languages, Range }: typeof vscode) {
  let collection: vscode.DiagnosticCollection | undefined;
  return {
    /** Replaces the problems of a file. @param text in which they are */
    set(uri: vscode.Uri, text: string, problems: readonly PromptProblem[]): void {
      collection?.delete(uri);
      if (problems.length === 0) return;
      const diagnostics = problems.map(({ message, offset, length = 1 }) => {
        const range = new Range(
          ...lineAndCharacter(text, offset),
          ...lineAndCharacter(text, offset + length),
        );
        const diagnostic = new Diagnostic(range, message, DiagnosticSeverity.Warning);
        diagnostic.source = 'Workspace MCP';
        return diagnostic;
      });
      collection ??= languages.createDiagnosticCollection('workspace-mcp-prompts');
      collection.set(uri, diagnostics);
    },
    /** @param uri all files if left out */
    clear(uri?: vscode.Uri): void {
      if (uri) collection?.delete(uri);
      else collection?.clear();
    },
    dispose: () => collection?.dispose(),
  };
}

export type PromptProblems = ReturnType<typeof promptProblems>;

function lineAndCharacter(text: string, offset: number): [line: number, character: number] {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return [before.length - 1, before.at(-1)?.length ?? 0];
}
