import type * as vscode from 'vscode';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/messages.ts';
import type { AgentRun } from '../../services/run/agentRun.ts';
import { findTests, lastFailures, lastOf, runTestsOf } from '../../services/run/testRuns.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';
import { requireAskedAbout, savingFirst } from './savedFirst.ts';
import { knownTasks } from './tasks.ts';
import { reportOf, summaryOf, type TestResults } from './testReport.ts';

/** Most names of tests in an error. */
const MOST_NAMED = 30;

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  description:
    'Runs tests of any kind by the test extensions in VS Code. Use it instead of a command: it returns the outcome of each, with expected and actual values of those that fail.',
  group: 'run',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'run unit or integration tests in VS Code', alwaysLoad: true },
  input: z.strictObject({
    paths: z.array(z.string()).max(200).default([]).describe('Files or folders; default: all'),
    name: args.query.min(1).optional().describe('Part of a test name; with one file'),
    line: args.line.optional().describe('Where a test is; with one file'),
    failed: z.boolean().default(false).describe('Run again those that failed last'),
    coverage: z.boolean().default(false),
    wait: args.wait(),
  }),
  async run({ paths, name, line, failed, coverage, wait }, ctx, call) {
    const { files, agentRuns } = ctx;
    const places = await Promise.all(paths.map((path) => files.locateMeant(path)));
    const isSome = (name ?? line) !== undefined;
    const file = isSome ? await onlyFile(places, ctx) : undefined;
    if (failed && (isSome || paths.length > 0))
      throw new UserError('failed runs what failed last: pass it without paths, name and line.');
    if (failed) await requireFailed(ctx);
    agentRuns.requireRoom();
    const parts = [name, line && `line ${line}`, failed && 'those that failed last'].filter(Boolean);
    const what = [...places.map(({ path }) => path), ...parts].join(', ');
    const action: PlannedAction = {
      ...{ kind: 'test', intent: { type: 'tests' }, subject: what || 'all' },
      arguments: { tests: what || 'all', ...(coverage && { coverage }) },
    };
    const asked = savingFirst(action, 'tests', ctx);
    await call.approve(asked);
    const ids = await testsWanted(file, { name, line }, ctx, call.signal);
    if (!ids && !failed && !(await hasTests(places, ctx, call.signal))) return text(await noTests(what, ctx));
    const run = agentRuns.begin({ kind: 'tests', title: what || 'all tests', author: ctx.author() });
    const folders = ctx.vscode.workspace.workspaceFolders ?? [];
    const uris = places.length > 0 ? places.map(({ uri }) => uri) : folders.map(({ uri }) => uri);
    run.running = { stop: (by) => run.end({ outcome: 'nothing ran', stoppedBy: by }) };
    const require = () => requireAskedAbout(asked, 'tests', call.isApproved, ctx);
    void agentRuns.inTurn(() => execute(run, { uris, ids, failed, coverage, require }, ctx));
    await run.wait(args.waitTime(wait), call.signal);
    return text(runText(run, ctx, args.DEFAULT_CHARACTERS));
  },
});

/** VS Code runs nothing then, and does not say so. @throws UserError */
async function requireFailed({ vscode }: Context): Promise<void> {
  if ((await lastFailures(vscode))?.length === 0)
    throw new UserError(
      'There is nothing to run again: no test failed in the last run of this window, or none has run yet. Call run_tests without failed.',
    );
}

/** @throws UserError if the places are not one file */
async function onlyFile(places: readonly Location[], { files }: Context): Promise<Location> {
  const [only, ...others] = places;
  if (!only || others.length > 0 || (await files.stat(only))?.isFolder)
    throw new UserError('A name or a line needs paths with the one file that the test is in.');
  return only;
}

/** Ids of the tests with a name, or in a line; undefined if all are wanted. @throws UserError if there are none */
export async function testsWanted(
  file: Location | undefined,
  { name, line }: { name?: string | undefined; line?: number | undefined },
  ctx: Context,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (!file) return undefined;
  const ids = await findTests(ctx.vscode, file.uri, signal);
  if (ids.length === 0) throw new UserError(await noTests(file.path, ctx));
  const content = line === undefined ? '' : ((await ctx.files.lines(file, [line - 1])).get(line - 1) ?? '');
  const matching = ids.filter((id) =>
    name === undefined
      ? lastOf(id) !== '' && content.includes(lastOf(id))
      : lastOf(id).toLowerCase().includes(name.toLowerCase()),
  );
  // "add" stands in a line with "adds" too.
  const wanted = matching.filter(
    (id) =>
      name !== undefined || !matching.some((other) => other !== id && lastOf(other).includes(lastOf(id))),
  );
  if (wanted.length > 0) return wanted;
  const names = ctx.files.redactor.text(ids.slice(0, MOST_NAMED).map(lastOf).join(', '));
  throw new UserError(
    `${name === undefined ? `No test is named in line ${line}` : `No test has "${name}" in its name`} of ${file.path}. It has: ${names}${ids.length > MOST_NAMED ? ', …' : ''}. Nothing ran.`,
  );
}

async function hasTests(places: readonly Location[], ctx: Context, signal: AbortSignal): Promise<boolean> {
  if (places.length === 0) return (await findTests(ctx.vscode, undefined, signal)).length > 0;
  for (const place of places) {
    const isFolder = (await ctx.files.stat(place))?.isFolder;
    if ((await findTests(ctx.vscode, isFolder ? undefined : place.uri, signal)).length > 0) return true;
  }
  return false;
}

async function noTests(where: string, ctx: Context): Promise<string> {
  const tasks = (await knownTasks(ctx).catch(() => [])).filter(
    ({ task, name }) => task.group?.id === 'test' || /test/i.test(name),
  );
  const [first] = tasks;
  const instead = first
    ? `The task ${JSON.stringify(first.name)} may run them: call run_task.`
    : 'Use run_command.';
  return `No test extension of VS Code found a test${where ? ` in ${where}` : ''}. ${instead}`;
}

async function execute(
  run: AgentRun,
  wanted: {
    uris: readonly vscode.Uri[];
    ids: readonly string[] | undefined;
    failed: boolean;
    coverage: boolean;
    /** @throws UserError if it may not run any more */
    require: () => void;
  },
  ctx: Context,
): Promise<void> {
  const { uris, ids, failed, coverage } = wanted;
  if (run.result) return; // stopped while it waited for its turn
  run.running = {
    stop(by) {
      stoppedBy = by;
      void ctx.vscode.commands.executeCommand('testing.cancelRun');
    },
  };
  let stoppedBy: 'agent' | 'user' | undefined;
  try {
    const results: TestResults = { ids };
    for (const uri of failed || ids ? [undefined] : uris) {
      if (stoppedBy) break;
      wanted.require();
      await executePart(uri, results, coverage, ctx);
    }
    run.print(reportOf(results, ctx));
    const none =
      coverage && results.outcomes?.length === 0 && 'no test ran: their extension offers no coverage';
    run.end({ outcome: none || summaryOf(results), ...(stoppedBy && { stoppedBy }) });
  } catch (error) {
    run.end({ failed: (error as Error).message });
  }
}

/** @param uri undefined for the tests that were chosen, or failed last */
async function executePart(
  uri: vscode.Uri | undefined,
  results: TestResults,
  coverage: boolean,
  { vscode }: Context,
): Promise<void> {
  const { executeCommand } = vscode.commands; // VS Code tells what came of the tests of a place only
  if (uri) {
    const outcomes = await runTestsOf(vscode, uri, coverage);
    if (!outcomes) return; // what failed is of another run
    results.outcomes = [...(results.outcomes ?? []), ...outcomes];
  } else if (results.ids) await executeCommand('vscode.runTestsById', coverage ? 8 : 2, ...results.ids);
  else await executeCommand('testing.reRunFailedFromLastRun');
  const failures = await lastFailures(vscode);
  if (failures) results.failures = [...(results.failures ?? []), ...failures];
}
