import type * as vscode from 'vscode';
import * as z from 'zod';
import type { RedactedText } from '../../access/redaction/redactedText.ts';
import { visibleText } from '../../core/text/escapeInvisible.ts';

/** Index: VS Code's DiagnosticSeverity, the worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** A problem as agents get it: lines and columns are 1-based, columns in UTF-16 units. */
export const problemSchema = z.object({
  cell: z.number().optional().describe('Of a notebook, the first is 1: the line is in it'),
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional().describe('If on several lines'),
  endColumn: z.number(),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  source: z.string().optional(),
  code: z.string().optional(),
});

export type Problem = z.output<typeof problemSchema>;

/** The problems at least as severe as `mildest`, in the order of the text. @param redacted from `ctx.files.redactor.redactedText` */
export function problemsOf(
  diagnostics: readonly vscode.Diagnostic[],
  redacted: RedactedText | undefined,
  mildest: (typeof SEVERITIES)[number] = 'hint',
): Problem[] {
  return diagnostics
    .filter(({ severity }) => severity <= SEVERITIES.indexOf(mildest))
    .sort((a, b) => a.range.start.compareTo(b.range.start))
    .map((diagnostic) => toProblem(diagnostic, redacted));
}

function toProblem(
  { range, severity, message, source, code }: vscode.Diagnostic,
  redacted: RedactedText | undefined,
): Problem {
  const name = typeof code === 'object' ? code.value : code;
  const said = (text: string) => redacted?.said(text, range) ?? text;
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    ...(range.isSingleLine ? {} : { endLine: range.end.line + 1 }),
    endColumn: range.end.character + 1,
    severity: SEVERITIES[severity] ?? 'hint',
    message: said(message),
    ...(source && { source: said(source) }),
    ...(name !== undefined && { code: said(String(name)) }),
  };
}

/** A problem as a line of text; further lines of its message are indented. */
export function problemLine({ cell, line, column, severity, message, source, code }: Problem): string {
  const from = [source, code].filter(Boolean).join(' ');
  const place = `${cell === undefined ? '' : `cell ${cell}, `}${line}:${column}`;
  return visibleText(`  ${place} ${severity} ${message}${from ? ` (${from})` : ''}`).replaceAll(
    '\n',
    '\n    ',
  );
}
