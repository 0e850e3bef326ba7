import type * as vscode from 'vscode';

export interface PromptProblem {
  /** For the user, in their language. */
  message: string;
  /** In UTF-16 units from the start of the text. */
  offset: number;
  length?: number;
}

/** The mistakes in files with prompts, in the Problems view. One per window: agents that load the same file report the same. */
export class PromptProblems {
  readonly #code: typeof vscode;
  #collection: vscode.DiagnosticCollection | undefined;

  constructor(code: typeof vscode) {
    this.#code = code;
  }

  /** Replaces the problems of a file. @param text in which they are */
  set(uri: vscode.Uri, text: string, problems: readonly PromptProblem[]): void {
    const { Diagnostic, DiagnosticSeverity, languages, Range } = this.#code;
    this.#collection?.delete(uri);
    if (problems.length === 0) return;
    const diagnostics = problems.map(({ message, offset, length = 1 }) => {
      const range = new Range(...lineAndCharacter(text, offset), ...lineAndCharacter(text, offset + length));
      const diagnostic = new Diagnostic(range, message, DiagnosticSeverity.Warning);
      diagnostic.source = 'Workspace MCP';
      return diagnostic;
    });
    this.#collection ??= languages.createDiagnosticCollection('workspace-mcp-prompts');
    this.#collection.set(uri, diagnostics);
  }

  /** @param uri all files if left out */
  clear(uri?: vscode.Uri): void {
    if (uri) this.#collection?.delete(uri);
    else this.#collection?.clear();
  }

  dispose(): void {
    this.#collection?.dispose();
  }
}

function lineAndCharacter(text: string, offset: number): [line: number, character: number] {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return [before.length - 1, before.at(-1)?.length ?? 0];
}
