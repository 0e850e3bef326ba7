import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import type { CheckState, Diagnostics } from '../../services/language/diagnostics.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Location } from '../../workspace/read/location.ts';
import { MARKUP } from '../../workspace/read/notebooks.ts';
import type { Context } from '../context.ts';
import { type Problem, problemsOf, type SEVERITIES } from './problemReport.ts';

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
  const notebook = notebookOf(vscode, location.targetUri ?? location.uri);
  if (notebook) {
    const state = await checkCells(notebook, language, signal);
    return { location, parts: ofCells(vscode, notebook), state };
  }
  const { diagnostics, state } = await language.of(location, files, signal);
  return { location, parts: [{ diagnostics }], state };
}

/** The problems at least as severe as `mildest`, as the agent may see them. */
export function problemsIn(
  found: readonly FoundProblems[],
  mildest: (typeof SEVERITIES)[number],
  ctx: Context,
): Promise<FileProblems[]> {
  return inParallel(found, AT_ONCE, async ({ location, parts }) => {
    const all = await Promise.all(parts.map((part) => problemsOfPart(part, location, mildest, ctx)));
    return { path: location.path, problems: all.flat() };
  });
}

async function problemsOfPart(
  { diagnostics, cell }: Reported,
  location: Location,
  mildest: (typeof SEVERITIES)[number],
  { files: { redactor } }: Context,
): Promise<Problem[]> {
  if (!cell) return problemsOf(diagnostics, await redactor.redactedText(location), mildest);
  const problems = problemsOf(diagnostics, redactor.redactedCell(cell.document), mildest);
  return problems.map((problem) => ({ cell: cell.number, ...problem }));
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
async function checkCells(
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
