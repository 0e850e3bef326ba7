import type * as vscode from 'vscode';
import * as z from 'zod';
import { counted, firstOfAll, fitting, UserError, visible } from '../../core/messages.ts';
import type { CheckState } from '../../services/language/diagnostics.ts';
import { clock } from '../../util/clock.ts';
import { inParallel } from '../../util/turns.ts';
import * as args from '../arguments.ts';
import type { Call, Context } from '../context.ts';
import { namedFiles } from '../files/findFiles.ts';
import { data, defineReadTool } from '../tool.ts';
import {
  AT_ONCE,
  check,
  type FileProblems,
  type FoundProblems,
  inWords,
  noteOn,
  noteOnAll,
  ofCells,
  type ProblemReport,
  problemReport,
  problemsIn,
  type Reported,
  SEVERITIES,
} from './fileProblems.ts';

const MOST_PROBLEMS = 200;

export const getDiagnostics = defineReadTool({
  name: 'get_diagnostics',
  title: 'VS Code problems',
  description:
    'Gets errors and warnings of language servers and linters in VS Code. Checks given files and folders first; without path, only what was reported so far. Call it instead of a build or type check.',
  group: 'language',
  hints: { alwaysLoad: true },
  input: z.strictObject({
    path: z.string().min(1).optional().describe('File, folder or glob; "." for all'),
    paths: z.array(z.string().min(1)).max(100).optional().describe('Several'),
    severity: z.enum(SEVERITIES).default('information').describe('Least severe to report'),
    limit: args.limit(MOST_PROBLEMS),
    maxCharacters: args.maxCharacters,
  }),
  output: problemReport,
  async run({ path, paths = [], ...wanted }, ctx, call) {
    const named = path === undefined ? paths : [path, ...paths];
    const { report, text } = await reportProblems({ named, ...wanted }, ctx, call);
    return data(report, text);
  },
});

/** How long files of folders and globs may take, in milliseconds: many clients wait for 60 s. */
const MOST_TIME = 40_000;
/** Most files without a report that a list names: a project may have thousands. */
const MOST_IN_LIST = 100;

interface Wanted {
  /** Paths from the agent; without any, all files with known problems. */
  named?: readonly string[];
  /** The least severe to report. */
  severity?: (typeof SEVERITIES)[number];
  limit?: number;
  /** Most UTF-16 units of all problems as JSON. */
  maxCharacters?: number;
}

/** @throws UserError, NotFoundError if the only named file cannot be checked; CancelledError */
export async function reportProblems(
  { named = [], ...wanted }: Wanted,
  ctx: Context,
  call: Pick<Call, 'signal' | 'progress'>,
) {
  if (named.length === 0) return answer({ found: await findAll(ctx) }, wanted, ctx);
  const { paths, isMany, notes } = await namedFiles(named, ctx, call.signal);
  const end = clock.now() + MOST_TIME;
  const late: string[] = [];
  let done = 0;
  const checked = await inParallel(paths, AT_ONCE, async (path) => {
    if (isMany && clock.now() > end) {
      late.push(path);
      return undefined;
    }
    try {
      return await check(await ctx.files.locateMeant(path), ctx, call.signal);
    } catch (error) {
      if (!(error instanceof UserError) || paths.length === 1) throw error;
      return error.message;
    } finally {
      call.progress(++done, paths.length, path);
    }
  });
  if (late.length > 0)
    notes.push(
      `${counted(late.length, 'file')} of ${paths.length} not checked for lack of time, from ${visible(late[0] ?? '')} on.`,
    );
  const found = checked.filter((one) => one !== undefined && typeof one !== 'string');
  const unique = new Map(found.map((one) => [one.location.uri.toString(), one]));
  const failed = checked.filter((one) => typeof one === 'string');
  return answer({ found: [...unique.values()], failed, notes }, wanted, ctx);
}

async function findAll({ files, language, vscode }: Context): Promise<FoundProblems[]> {
  const all: { uri: vscode.Uri; parts: readonly Reported[] }[] = [
    ...language.all().map(([uri, diagnostics]) => ({ uri, parts: [{ diagnostics }] })),
    ...vscode.workspace.notebookDocuments.map((one) => ({ uri: one.uri, parts: ofCells(vscode, one) })),
  ];
  const reported = all.filter(({ parts }) => parts.some(({ diagnostics }) => diagnostics.length > 0));
  const found = await Promise.all(
    reported.map(async ({ uri, parts }) => ({ location: await files.permitted(uri), parts })),
  );
  return found.filter((one): one is FoundProblems => one.location !== undefined);
}

/** @param failed undefined if no file was named */
async function answer(
  {
    found,
    failed,
    notes = [],
  }: { found: readonly FoundProblems[]; failed?: string[]; notes?: readonly string[] },
  { severity = 'information', limit = MOST_PROBLEMS, maxCharacters = args.DEFAULT_CHARACTERS }: Wanted,
  ctx: Context,
): Promise<{ report: ProblemReport; text: string }> {
  const all = await problemsIn(found, severity, ctx);
  const count = countOf(all);
  const sorted = all.sort((a, b) => (a.path < b.path ? -1 : 1));
  const pathsOf = (wanted: CheckState) =>
    found.filter(({ state }) => state === wanted).map(({ location }) => location.path);
  const [unchecked, pending] = [pathsOf('unchecked'), pathsOf('pending')];
  const about = failed ? noteOn(unchecked, pending, failed.length - MOST_IN_LIST) : noteOnAll(count);
  const note = [about, ...notes].filter(Boolean).join('\n');
  const files = cut(sorted, limit, maxCharacters);
  const leftOut = count - countOf(files);
  const report = {
    count,
    ...(leftOut > 0 && { leftOut }),
    ...(unchecked.length > 0 && { unchecked: unchecked.slice(0, MOST_IN_LIST) }),
    ...(pending.length > 0 && { pending: pending.slice(0, MOST_IN_LIST) }),
    ...(failed?.length && { failed: failed.slice(0, MOST_IN_LIST) }),
    ...(note && { note }),
    files,
  };
  return { report, text: inWords(report, pathsOf('checked').length, severity) };
}

const countOf = (files: readonly FileProblems[]): number =>
  files.reduce((sum, { problems }) => sum + problems.length, 0);

/** The first problems that fit. Files without any are dropped. */
function cut(files: readonly FileProblems[], limit: number, maxCharacters: number): FileProblems[] {
  const sizes = files.flatMap(({ path, problems }) =>
    problems.map((problem, index) => sizeOf(problem) + (index ? 0 : sizeOf(path))),
  );
  const count = fitting(sizes, maxCharacters, (size) => size, limit);
  const shown = firstOfAll(
    files.map(({ problems }) => problems),
    count,
  );
  return files
    .map(({ path }, index) => ({ path, problems: shown[index] ?? [] }))
    .filter(({ problems }) => problems.length > 0);
}

const sizeOf = (value: object | string): number => JSON.stringify(value).length + 1;
