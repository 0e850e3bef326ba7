import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';

import { UserError } from '../../core/errors.ts';
import { namedIn, namedTest } from '../../services/run/testNames.ts';
import { findTests, lastFailures, type TestFailure, testsKnown } from '../../services/run/testRuns.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';
import { requireAskedAbout, savingFirst } from './savedFirst.ts';
import { type KnownTask, knownTasks } from './tasks.ts';
import { executeTests } from './testExecution.ts';
import { waitForOwn } from './waiting.ts';

/** Most names of tests in an error. */
const MOST_NAMED = 30;

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  description:
    'Runs tests of any kind by the test extensions in VS Code. Use it instead of a command: it returns the outcome of each, with expected and actual values of those that fail.',
  group: 'run',
  operation: 'run',
  asksFor: 'test',
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
    const failures = failed ? await failedLast(ctx) : undefined;
    agentRuns.requireRoom();
    if (!(await mayHaveTests(ctx, call.signal))) throw new UserError(await noTests('', ctx));
    const what = [...places.map(({ path }) => path), ...choiceOf({ name, line, failed })].join(', ');
    const ask = async (more: object) => {
      const action: PlannedAction = {
        kind: 'test',
        intent: { type: 'tests' },
        subject: what || 'all',
        arguments: { tests: what || 'all', ...more, ...(coverage && { coverage }) },
      };
      const asked = savingFirst(action, 'tests', ctx);
      return { asked, consent: await call.approve(asked) };
    };
    const choose = (isAllowed: boolean) => testsWanted(file, { name, line }, ctx, call.signal, isAllowed);
    const isKnown = file && (await testsKnown(ctx.vscode, file.uri, call.signal)).length > 0;
    let ids = isKnown ? await choose(false) : undefined;
    const wayOf = (id: string) => namedTest(ctx.vscode, id, file?.uri).way;
    const chosen = ids?.map(wayOf) ?? failures?.map(({ id }) => id);
    let { asked, consent } = await ask(file && !ids ? { note: LOOKS_FIRST } : chosenOf(chosen));
    if (file && !ids) {
      ids = (await choose(true)) ?? [];
      ({ asked, consent } = await ask(chosenOf(ids.map(wayOf))));
    }
    if (!ids && !failed && !(await hasTests(places, ctx, call.signal))) return text(await noTests(what, ctx));
    const run = agentRuns.begin({ kind: 'tests', title: what || 'all tests', author: ctx.author() });
    const folders = ctx.vscode.workspace.workspaceFolders ?? [];
    const uris = places.length > 0 ? places.map(({ uri }) => uri) : folders.map(({ uri }) => uri);
    run.running = { stop: (by) => run.end({ outcome: 'nothing ran', stoppedBy: by }) };
    const require = async () => {
      requireAskedAbout(asked, 'tests', call.isAllowed, ctx);
      if (failures && consent === 'shown') await requireSameFailures(failures, ctx);
    };
    void agentRuns.inTurn(() => executeTests(run, { uris, ids, failed, coverage, require }, ctx));
    await waitForOwn(run, wait, call, ctx);
    return text(runText(run, ctx, args.DEFAULT_CHARACTERS));
  },
});

interface Choice {
  name?: string | undefined;
  line?: number | undefined;
}

const choiceOf = ({ name, line, failed }: Choice & { failed: boolean }) =>
  [name, line && `line ${line}`, failed && 'those that failed last'].filter(Boolean);

/** For the question. */
const LOOKS_FIRST =
  'VS Code knows no tests of this file yet. Extensions look for them first, which may run code of the workspace.';

/** The tests that were chosen, for the question: these run, and only these. */
const chosenOf = (chosen: readonly string[] | undefined): object => (chosen ? { chosen } : {});

/** Undefined if this version of VS Code does not tell. VS Code runs nothing if there are none, and does not say so. @throws UserError */
async function failedLast({ vscode, files }: Context): Promise<readonly TestFailure[] | undefined> {
  const failures = await lastFailures(vscode, files.isClosed);
  if (failures?.length === 0)
    throw new UserError(
      'There is nothing to run again: no test failed in the last run of this window, or none has run yet. Call run_tests without failed.',
    );
  return failures;
}

/** Others may have run tests since. @throws UserError */
async function requireSameFailures(shown: readonly TestFailure[], { vscode, files }: Context): Promise<void> {
  const idsOf = (failures: readonly TestFailure[] = []) => failures.map(({ id }) => id);
  if (!isDeepStrictEqual(idsOf(await lastFailures(vscode, files.isClosed)), idsOf(shown)))
    throw new UserError(
      'other tests failed last by now than the user was shown. Nothing ran. Call run_tests again',
    );
}

/** @throws UserError if the places are not one file */
async function onlyFile(places: readonly Location[], { files }: Context): Promise<Location> {
  const [only, ...others] = places;
  if (!only || others.length > 0 || (await files.stat(only))?.isFolder)
    throw new UserError('A name or a line needs paths with the one file that the test is in.');
  return only;
}

/**
 * Ids of the tests with a name, or in a line; undefined if all are wanted.
 *
 * @param isAllowed whether extensions may look for tests, which may run code of the workspace
 * @throws UserError if there are none, or VS Code does not know them yet
 */
export async function testsWanted(
  file: Location | undefined,
  { name, line }: Choice,
  ctx: Context,
  signal: AbortSignal,
  isAllowed = false,
): Promise<string[] | undefined> {
  if (!file) return undefined;
  const { vscode } = ctx;
  const ids = await (isAllowed ? findTests : testsKnown)(vscode, file.uri, signal);
  if (ids.length === 0 && !isAllowed)
    throw new UserError(
      `VS Code knows no tests of ${file.path} yet. Call run_tests with this path: it lets their extension look for them.`,
    );
  if (ids.length === 0) throw new UserError(await noTests(file.path, ctx));
  const content = line === undefined ? '' : ((await ctx.files.lines(file, [line - 1])).get(line - 1) ?? '');
  const all = ids.map((id) => namedTest(vscode, id, file.uri));
  const wanted =
    name === undefined
      ? namedIn(content, all)
      : all.filter((one) => one.name.toLowerCase().includes(name.toLowerCase()));
  const there = wanted.length > 0 || name !== undefined ? wanted : all.filter((one) => one.line === line);
  if (there.length > 0) return there.map(({ id }) => id);
  const names = all.filter(({ isNumber }) => !isNumber).map((one) => one.name);
  const shown = ctx.files.redactor.text(names.slice(0, MOST_NAMED).join(', '));
  const numbers = all.length - names.length;
  throw new UserError(
    [
      `${name === undefined ? `No test is named in line ${line}` : `No test has "${name}" in its name`} of ${file.path}.`,
      ...(names.length > 0 ? [`It has: ${shown}${names.length > MOST_NAMED ? ', …' : ''}.`] : []),
      ...(numbers > 0
        ? [`${numbers} tests have numbers only, until they have run once: call run_tests with paths alone.`]
        : []),
      'Nothing ran.',
    ].join(' '),
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

/** Our own manifest names tests, too. */
const OWN_NAME = 'workspace-mcp';

/** Whether an extension may have tests: one that does says something of them in its description of itself. */
async function mayHaveTests({ vscode }: Context, signal: AbortSignal): Promise<boolean> {
  const mayHave = vscode.extensions.all.some(
    ({ packageJSON: manifest }) =>
      !manifest.isBuiltin && manifest.name !== OWN_NAME && /test/i.test(JSON.stringify(manifest)),
  );
  // From a remote window, extensions on the user's machine are not seen.
  if (mayHave || vscode.env.remoteName !== undefined) return true;
  return (await testsKnown(vscode, undefined, signal)).length > 0;
}

/** The one for tests in the nearest folder above: VS Code names a task of npm `test - folder` after its script. */
function testTask(tasks: readonly KnownTask[], where: string): KnownTask | undefined {
  const fits = tasks.flatMap((one) => {
    const [script = '', folder = ''] = one.name.split(' - ');
    const isOfTests = one.task.group?.id === 'test' || /\btests?\b/i.test(script);
    const isNear = folder === '' || `${where}/`.startsWith(`${folder}/`);
    return isOfTests ? [{ one, rank: isNear ? folder.length : -1 }] : [];
  });
  return fits.sort((a, b) => b.rank - a.rank)[0]?.one;
}

async function noTests(where: string, ctx: Context): Promise<string> {
  const task = testTask(await knownTasks(ctx).catch(() => []), where);
  const instead = task
    ? `The task ${JSON.stringify(task.name)} may run them: call run_task.`
    : 'Use run_command.';
  return `No test extension of VS Code found a test${where ? ` in ${where}` : ''}. ${instead}`;
}
