import type * as vscode from 'vscode';
import * as z from 'zod';
import type { RedactedText } from '../../access/redaction/redactedText.ts';
import { throwIfCancelled } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import type { Diagnostics } from '../../services/language/diagnostics.ts';
import type { CheckState } from '../../services/language/reports.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isNotebook, MARKUP } from '../../workspace/read/notebooks.ts';
import type { Context } from '../context.ts';
import { noted } from '../tool.ts';

/** Files that are checked at a time: each may need a tab for its language server. */
export const AT_ONCE = 5;

/** What is reported on one file. It has a state only if its check was awaited. */
export interface FoundProblems {
  location: Location;
  parts: readonly Reported[];
  state?: CheckState;
}

export interface FileProblems {
  path: string;
  problems: Problem[];
}

/** Waits until a file is checked. @throws UserError, NotFoundError, CancelledError */
export async function check(location: Location, ctx: Context, signal: AbortSignal): Promise<FoundProblems> {
  throwIfCancelled(signal);
  const { files, language, vscode } = ctx;
  // As a text it would be checked as JSON, unless that is what the user edits.
  const isLoaded = isNotebook(location) && !files.openDocument(location)?.isDirty;
  const open = notebookOf(vscode, location.targetUri ?? location.uri);
  const notebook = open ?? (isLoaded ? await files.loadNotebook(location) : undefined);
  if (notebook) {
    const state = await checkCells(notebook, language, signal);
    return { location, parts: ofCells(vscode, notebook), state };
  }
  const { diagnostics, state } = await language.of(location, files, signal);
  return { location, parts: [{ diagnostics }], state };
}

type Severity = (typeof SEVERITIES)[number];

/** The problems at least as severe as `mildest`, as the agent may see them. */
export function problemsIn(found: readonly FoundProblems[], mildest: Severity, ctx: Context) {
  return inParallel(found, AT_ONCE, async (one): Promise<FileProblems> => {
    return { path: one.location.path, problems: await problemsOfFile(one, mildest, ctx) };
  });
}

export async function problemsOfFile(
  { location, parts }: FoundProblems,
  mildest: Severity,
  { files: { redactor } }: Context,
): Promise<Problem[]> {
  const all = parts.map(async ({ diagnostics, cell }) => {
    const redacted = cell ? redactor.redactedCell(cell.document) : await redactor.redactedText(location);
    const problems = problemsOf(diagnostics, redacted, mildest);
    return cell ? problems.map((problem) => ({ cell: cell.number, ...problem })) : problems;
  });
  return (await Promise.all(all)).flat();
}

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
async function checkCells(notebook: vscode.NotebookDocument, diagnostics: Diagnostics, signal: AbortSignal) {
  const cells = notebook.getCells().filter(({ kind }) => kind !== MARKUP);
  const checked = await Promise.all(cells.map(({ document }) => diagnostics.ofShown(document, signal)));
  const has = (wanted: CheckState) => checked.some(({ state }) => state === wanted);
  return has('pending') ? 'pending' : has('checked') ? 'checked' : 'unchecked';
}

export const ofCells = ({ languages }: typeof vscode, notebook: vscode.NotebookDocument): Reported[] =>
  notebook.getCells().flatMap(({ document }, index) => {
    const diagnostics = languages.getDiagnostics(document.uri);
    return diagnostics.length > 0 ? { diagnostics, cell: { number: index + 1, document } } : [];
  });

/** Index: VS Code's DiagnosticSeverity, the worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** A problem as agents get it: lines and columns are 1-based, columns in UTF-16 units. */
const problemSchema = z.object({
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
function problemsOf(
  diagnostics: readonly vscode.Diagnostic[],
  redacted: RedactedText | undefined,
  mildest: Severity = 'hint',
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

export const problemReport = z.object({
  files: z
    .array(z.object({ path: z.string(), problems: z.array(problemSchema) }))
    .describe('With problems. A file in no list is clean, unless note tells of more'),
  count: z.number().describe('All problems, also those left out'),
  leftOut: z.number().optional().describe('Raise limit or maxCharacters to get them'),
  unchecked: z
    .array(z.string())
    .optional()
    .describe('No extension checks these files: their problems are unknown'),
  pending: z
    .array(z.string())
    .optional()
    .describe('No report on the current text of these files yet: ask again'),
  failed: z.array(z.string()).optional().describe('Files with the reason'),
  note: z.string().optional(),
});

export type ProblemReport = z.output<typeof problemReport>;

/**
 * The report as text.
 *
 * @param checked number of files that were checked
 * @param mildest the least severe problems that were requested
 */
export function inWords(report: ProblemReport, checked: number, mildest: string): string {
  const { files, count, leftOut, failed, note, unchecked, pending } = report;
  const lines = files.flatMap(({ path, problems }) => [visible(path), ...problems.map(problemLine)]);
  const isAll = !unchecked && !pending && !failed;
  if (count === 0 && checked > 0) {
    const isUsual = mildest === 'hint' || mildest === 'information';
    const none = isUsual ? 'No problems' : `No problems of severity "${mildest}" or worse`;
    lines.push(isAll ? `${none}.` : `${none} in the files that were checked.`);
  }
  if (failed) lines.push('Not checked:', ...failed.map((reason) => `  ${visible(reason)}`));
  if (note) lines.push(note);
  const more =
    leftOut && `${count - leftOut} of ${count} problems. Name fewer files, or raise limit or maxCharacters.`;
  return noted(lines.join('\n'), more || undefined);
}

/** Files whose problems are unknown, if files were named. @param more how many others failed than those that are listed */
export function noteOn(
  unchecked: readonly string[],
  pending: readonly string[],
  more = 0,
): string | undefined {
  const notes = [
    unchecked.length > 0 && `No extension in VS Code is known to check ${listed(unchecked)}.`,
    pending.length > 0 &&
      `No report on the current text of ${listed(pending)} yet: the language server may still be starting or busy. Ask again.`,
    more > 0 && `${counted(more, 'more file')} could not be checked.`,
  ];
  return notes.filter(Boolean).join('\n') || undefined;
}

/** That the report is incomplete, if no file was named. */
export const noteOnAll = (count: number): string =>
  `${count === 0 ? 'No problems' : 'These are the problems'} reported so far, mostly on open tabs. Pass paths to check files.`;

/** Most paths that a note names. */
const MOST_NAMED = 20;

const listed = (paths: readonly string[]): string =>
  paths.slice(0, MOST_NAMED).map(visible).join(', ') +
  (paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more files` : '');
