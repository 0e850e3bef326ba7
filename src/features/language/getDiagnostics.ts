import type * as vscode from 'vscode';
import * as z from 'zod';
import { encodeCursor, page } from '../../core/page.ts';
import { counted, firstOfAll, fitting } from '../../core/text/cut.ts';
import type { CheckState } from '../../services/language/reports.ts';
import * as args from '../arguments.ts';
import type { Call, Context } from '../context.ts';
import { data, defineReadTool } from '../tool.ts';
import { type Asked, checkMany } from './checkMany.ts';
import {
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
import { namedFiles } from './namedFiles.ts';

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
    cursor: args.cursor,
  }),
  output: problemReport,
  async run({ path, paths = [], ...wanted }, ctx, call) {
    const named = path === undefined ? paths : [path, ...paths];
    const { report, text } = await reportProblems({ named, ...wanted }, ctx, call);
    return data(report, text);
  },
});

/** Files of folders and globs that one call checks, at most. */
const MOST_FILES = 1_000;
/** Most files without a report that a list names: a project may have thousands. */
const MOST_IN_LIST = 100;

interface Wanted {
  /** Paths from the agent; without any, all files with known problems. */
  named?: readonly string[];
  /** Where to go on in the files of folders and globs. */
  cursor?: string | undefined;
  /** The least severe to report. */
  severity?: (typeof SEVERITIES)[number];
  limit?: number;
  /** Most UTF-16 units of all problems as JSON. */
  maxCharacters?: number;
}

/** @throws UserError, NotFoundError if the only named file cannot be checked; CancelledError */
export async function reportProblems(
  { named = [], cursor, ...wanted }: Wanted,
  ctx: Context,
  call: Pick<Call, 'signal' | 'progress'>,
) {
  if (named.length === 0) return answer({ found: await findAll(ctx) }, wanted, ctx);
  const { single, many, others, notes } = await namedFiles(named, ctx, call.signal);
  const { items } = page(LIST, many, ({ key }) => key, cursor, MOST_FILES);
  const isContinued = cursor !== undefined;
  if (isContinued && items.length === 0) notes.push('No file is left to check.');
  const asked: Asked[] = [
    ...(isContinued ? [] : single).map((path) => ({ path, locate: () => ctx.files.locateMeant(path) })),
    ...items.map(({ key, path }) => ({ path, key, locate: () => ctx.files.locateShown(path) })),
  ];
  const { found, failed, last } = await checkMany(asked, ctx, call);
  const left = last === undefined ? [] : many.filter(({ key }) => key > last);
  if (last !== undefined && left.length > 0)
    notes.push(
      `${left.length} of ${counted(many.length, 'file')} not checked yet: pass cursor "${encodeCursor(LIST, last)}".`,
    );
  const inScope = new Set([...others, ...left.map(({ key }) => key)]);
  const known = isContinued ? [] : await findAll(ctx, ({ uri }) => inScope.has(`${uri}`));
  const unique = new Map([...known, ...found].map((one) => [one.location.uri.toString(), one]));
  return answer({ found: [...unique.values()], failed, notes }, wanted, ctx);
}

/** Name of the list that cursors belong to. */
const LIST = 'get_diagnostics';

async function findAll(
  { files, language, vscode }: Context,
  counts: (one: { uri: vscode.Uri }) => boolean = () => true,
): Promise<FoundProblems[]> {
  const all: { uri: vscode.Uri; parts: readonly Reported[] }[] = [
    ...language.all().map(([uri, diagnostics]) => ({ uri, parts: [{ diagnostics }] })),
    ...vscode.workspace.notebookDocuments.map((one) => ({ uri: one.uri, parts: ofCells(vscode, one) })),
  ];
  const reported = all.filter(
    (one) => counts(one) && one.parts.some(({ diagnostics }) => diagnostics.length > 0),
  );
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
