import type * as vscode from 'vscode';
import { unlessAborted } from '../../util/deadline.ts';
import { isSwitchedOff } from './checkers.ts';
import { isTypeScript, TYPESCRIPT } from './reports.ts';

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
 * change, on open tabs only, and on a clean text not at all; but it lets others ask its server.
 *
 * @returns undefined if the language is another one or not to be checked, or the extension does not answer
 */
export async function askTypeScript(
  code: typeof vscode,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.Diagnostic[] | undefined> {
  if (!isTypeScript(document.languageId) || isSwitchedOff(code, document)) return undefined;
  const ask = async (kind: string): Promise<ServerDiagnostic[]> => {
    const request = code.commands.executeCommand<{ body: ServerDiagnostic[] }>(
      'typescript.tsserverRequest',
      `${kind}DiagnosticsSync`,
      { file: document.uri },
    );
    return (await request).body;
  };
  try {
    const kinds = Promise.all(['syntactic', 'semantic', 'suggestion'].map(ask));
    return (await unlessAborted(kinds, signal))?.flat().map((diagnostic) => toDiagnostic(code, diagnostic));
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
  diagnostic.source = TYPESCRIPT;
  if (from.code !== undefined) diagnostic.code = from.code;
  return diagnostic;
}
