import { throwIfCancelled } from '../../core/errors.ts';
import type { CheckState } from '../../services/language/diagnostics.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { checkCells, notebookOf, ofCells, type Reported } from './notebookProblems.ts';
import { type Problem, problemsOf, type SEVERITIES } from './problems.ts';

/** Files that are checked at a time: each may need a tab for its language server. */
export const AT_ONCE = 5;

/** What is reported on one file. It has a state only if its check was awaited. */
export interface Found {
  location: Location;
  parts: readonly Reported[];
  state?: CheckState;
}

export interface FileProblems {
  path: string;
  problems: Problem[];
}

/** Waits until a file is checked. @throws UserError, NotFoundError, CancelledError */
export async function check(location: Location, ctx: Context, signal: AbortSignal): Promise<Found> {
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
export async function problemsIn(
  found: readonly Found[],
  mildest: (typeof SEVERITIES)[number],
  ctx: Context,
): Promise<FileProblems[]> {
  const openTexts = await ctx.files.redactor.openTexts();
  return inParallel(found, AT_ONCE, async ({ location, parts }) => {
    const all = await Promise.all(
      parts.map((part) => problemsOfPart(part, location, mildest, ctx, openTexts)),
    );
    return { path: location.path, problems: all.flat() };
  });
}

async function problemsOfPart(
  { diagnostics, cell }: Reported,
  location: Location,
  mildest: (typeof SEVERITIES)[number],
  { files: { redactor } }: Context,
  openTexts: readonly string[],
): Promise<Problem[]> {
  if (!cell) return problemsOf(diagnostics, await redactor.redactedText(location, openTexts), mildest);
  const problems = problemsOf(diagnostics, redactor.redactedCell(cell.document, openTexts), mildest);
  return problems.map((problem) => ({ cell: cell.number, ...problem }));
}
