import type * as vscode from 'vscode';
import { TSSERVER_REQUEST } from '../../tsserver/commands.ts';
import { unlessAborted } from '../../util/deadline.ts';
import { isSwitchedOff, isTypeScript, TYPESCRIPT } from './checkers.ts';

/** As in tsserver's protocol: lines and offsets are 1-based. */
interface ServerDiagnostic {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code?: number;
  category: 'error' | 'warning' | 'suggestion' | 'message';
}

/**
 * The problems of a TypeScript or JavaScript document's current text. VS Code's TypeScript extension reports some time after a
 * change, only for open tabs, and never for a clean text; but other extensions can query its server.
 *
 * @returns undefined if it is another language, checks are disabled, or the extension does not answer
 */
export async function askTypeScript(
  code: typeof vscode,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.Diagnostic[] | undefined> {
  if (!isTypeScript(document.languageId) || isSwitchedOff(code, document)) return undefined;
  const ask = async (kind: string): Promise<ServerDiagnostic[]> => {
    const request = code.commands.executeCommand<{ body: ServerDiagnostic[] }>(
      TSSERVER_REQUEST,
      `${kind}DiagnosticsSync`,
      { file: document.uri },
    );
    return (await request).body;
  };
  try {
    const kinds = Promise.all(['syntactic', 'semantic', 'suggestion'].map(ask));
    return (await unlessAborted(kinds, signal))?.flat().map((diagnostic) => toDiagnostic(code, diagnostic));
  } catch {
    return undefined; // the extension is missing or has another version
  }
}

/**
 * Waits until TypeScript has loaded the project of a document. Until then, its extension answers from the document alone. Only
 * diagnostics are always answered by the server that knows the project; syntactic ones are the cheapest.
 */
export async function projectLoaded(
  { commands }: typeof vscode,
  { languageId, uri }: vscode.TextDocument,
): Promise<true> {
  const request = [TSSERVER_REQUEST, 'syntacticDiagnosticsSync', { file: uri }] as const;
  // The extension may be missing, or have another version.
  if (isTypeScript(languageId)) await Promise.resolve(commands.executeCommand(...request)).catch(() => {});
  return true;
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
