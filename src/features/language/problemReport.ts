import type * as vscode from 'vscode';
import * as z from 'zod';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Call } from '../call.ts';
import type { Context } from '../context.ts';
import { cellsCaughtUp, notebookOf, ofCells, type Reported } from './notebookProblems.ts';
import { type Problem, problemSchema, problemsOf, type SEVERITIES } from './problems.ts';

/** Files that are waited for at a time: a language server may be given a tab for each. */
const AT_ONCE = 5;

/** What `get_diagnostics` answers. */
export const problemReport = z.object({
  files: z.array(z.object({ path: z.string(), problems: z.array(problemSchema) })),
  count: z.number().describe('All problems that were asked for, those left out included'),
  leftOut: z.number().optional().describe('Problems past the limit'),
  unsettled: z
    .array(z.string())
    .optional()
    .describe('Files whose language server is still at work: ask again'),
  failed: z.array(z.string()).optional().describe('Files that could not be checked, each with the reason'),
  note: z.string().optional(),
});

export type ProblemReport = z.output<typeof problemReport>;

/** How many are reported where nothing is said. */
export const MOST_PROBLEMS = 200;

const WHAT_WAS_ASKED =
  'These are the files that language servers have looked at so far, mostly open tabs. Name paths to have others checked.';

interface Asked {
  /** Paths as an agent writes them; without any, all files that VS Code has checked. */
  named: readonly string[];
  /** The mildest to report. */
  severity?: (typeof SEVERITIES)[number];
  limit?: number;
}

/** @throws UserError, NotFoundError where the only file that is named cannot be checked; CancelledError */
export async function reportProblems(
  { named, severity = 'hint', limit = MOST_PROBLEMS }: Asked,
  ctx: Context,
  call: Call,
): Promise<ProblemReport> {
  const { found, unsettled, failed } = named.length > 0 ? await ofFiles(named, ctx, call) : await ofAll(ctx);
  const all = await inParallel(found, AT_ONCE, async ({ location, parts }) => ({
    path: location.path,
    problems: (await Promise.all(parts.map((part) => problemsIn(part, location, severity, ctx)))).flat(),
  }));
  const count = all.reduce((sum, { problems }) => sum + problems.length, 0);
  const files = cut(
    all.filter(({ problems }) => problems.length > 0).sort((a, b) => (a.path < b.path ? -1 : 1)),
    limit,
  );
  return {
    files,
    count,
    ...(count > limit && { leftOut: count - limit }),
    ...(unsettled.length > 0 && { unsettled }),
    ...(failed.length > 0 && { failed }),
    ...(named.length === 0 && { note: WHAT_WAS_ASKED }),
  };
}

async function problemsIn(
  { diagnostics, cell }: Reported,
  location: Location,
  mildest: (typeof SEVERITIES)[number],
  { files }: Context,
): Promise<Problem[]> {
  if (!cell) return problemsOf(diagnostics, await files.redactor.redactedText(location), mildest);
  const problems = problemsOf(diagnostics, files.redactor.redactedCell(cell.document), mildest);
  return problems.map((problem) => ({ cell: cell.number, ...problem }));
}

interface Found {
  found: { location: Location; parts: readonly Reported[] }[];
  unsettled: string[];
  failed: string[];
}

/** One that cannot be checked costs nothing but its own answer, unless it is the only one. */
async function ofFiles(
  paths: readonly string[],
  { files, language, vscode }: Context,
  { signal, progress }: Call,
): Promise<Found> {
  let done = 0;
  const checked = await inParallel([...new Set(paths)], AT_ONCE, async (path) => {
    throwIfCancelled(signal);
    try {
      const location = await files.locate(path);
      const notebook = notebookOf(vscode, location.targetUri ?? location.uri);
      if (notebook) {
        const settled = await cellsCaughtUp(notebook, language, signal);
        return { location, parts: ofCells(vscode, notebook), settled };
      }
      const { settled, ...part } = await language.of(location, files, signal);
      return { location, parts: [part], settled };
    } catch (error) {
      if (!(error instanceof UserError) || paths.length === 1) throw error;
      return error.message;
    } finally {
      progress(++done, paths.length, path);
    }
  });
  const answers = checked.filter((one) => typeof one !== 'string');
  return {
    found: [...new Map(answers.map((one) => [one.location.uri.toString(), one])).values()],
    unsettled: answers.flatMap(({ settled, location }) => (settled ? [] : [location.path])),
    failed: checked.filter((one) => typeof one === 'string'),
  };
}

async function ofAll({ files, language, vscode }: Context): Promise<Found> {
  const all: [vscode.Uri, readonly Reported[]][] = [
    ...language.all().map(([uri, list]): [vscode.Uri, Reported[]] => [uri, [{ diagnostics: list }]]),
    ...vscode.workspace.notebookDocuments.map((notebook): [vscode.Uri, Reported[]] => [
      notebook.uri,
      ofCells(vscode, notebook),
    ]),
  ];
  const reported = all.filter(([, parts]) => parts.some((part) => part.diagnostics.length > 0));
  const found = await Promise.all(
    reported.map(async ([uri, parts]) => ({ location: await files.permitted(uri), parts })),
  );
  return {
    found: found.filter((entry): entry is Found['found'][number] => entry.location !== undefined),
    unsettled: [],
    failed: [],
  };
}

function cut<T extends { problems: Problem[] }>(files: T[], limit: number): T[] {
  let left = limit;
  return files
    .map((file) => {
      const problems = file.problems.slice(0, left);
      left -= problems.length;
      return { ...file, problems };
    })
    .filter(({ problems }) => problems.length > 0);
}
