import type * as vscode from 'vscode';
import { withDeadline } from '../../util/deadline.ts';

const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

/** As tsserver's protocol has it: lines and offsets are 1-based. */
interface ServerDiagnostic {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code?: number;
  category: 'error' | 'warning' | 'suggestion' | 'message';
}

/**
 * The problems of a TypeScript or JavaScript document as it is now. VS Code's TypeScript extension reports some time after a
 * change, and on open tabs only, but lets others ask its server.
 *
 * @returns undefined where the document is none such, or the extension does not answer
 */
export async function askTypeScript(
  code: typeof vscode,
  document: vscode.TextDocument,
  ms: number,
): Promise<vscode.Diagnostic[] | undefined> {
  if (!LANGUAGES.has(document.languageId)) return undefined;
  const ask = async (kind: string): Promise<ServerDiagnostic[]> => {
    const request = code.commands.executeCommand<{ body: ServerDiagnostic[] }>(
      'typescript.tsserverRequest',
      `${kind}DiagnosticsSync`,
      { file: document.uri },
    );
    return (await withDeadline(request, 'waiting for TypeScript', ms)).body;
  };
  try {
    const kinds = await Promise.all(['syntactic', 'semantic', 'suggestion'].map(ask));
    return kinds.flat().map((diagnostic) => toDiagnostic(code, diagnostic));
  } catch {
    return undefined; // another version of the extension, or none
  }
}

function toDiagnostic(
  { Diagnostic, DiagnosticSeverity, Range }: typeof vscode,
  from: ServerDiagnostic,
): vscode.Diagnostic {
  const { start, end, text, category } = from;
  const severity = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    suggestion: DiagnosticSeverity.Hint,
    message: DiagnosticSeverity.Information,
  }[category];
  const range = new Range(start.line - 1, start.offset - 1, end.line - 1, end.offset - 1);
  const diagnostic = new Diagnostic(range, text, severity);
  diagnostic.source = 'ts';
  if (from.code !== undefined) diagnostic.code = from.code;
  return diagnostic;
}
