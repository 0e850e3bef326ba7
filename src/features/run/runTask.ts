import type * as vscode from 'vscode';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import { isRunning, startTask, taskIdentity, USER_RUNS_IT } from '../../services/run/taskStart.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { type FoundProblems, problemsIn } from '../language/fileProblems.ts';
import { newProblems } from '../language/problemChanges.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText, stateText } from './runText.ts';
import { requireAskedAbout, savingFirst } from './savedFirst.ts';
import { type KnownTask, knownTasks, taskNamed, taskPlan } from './tasks.ts';
import { untilText, waitFor, waitForOwn } from './waiting.ts';

export const runTask = defineTool({
  name: 'run_task',
  title: 'Run task',
  description:
    'Runs a task of VS Code by its name. Use it for what the project defines. Returns exit code and output, or the new problems if it has a problem matcher; after wait seconds it goes on as a numbered run.',
  group: 'run',
  operation: 'run',
  asksFor: 'task',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    task: z.string().min(1).describe('As in list_tasks'),
    folder: z.string().optional().describe('If several have it'),
    wait: args.wait(),
    until: untilText.describe('Text to wait for'),
  }),
  async run({ task: name, folder, wait, until }, ctx, call) {
    const known = taskNamed(name, folder, await knownTasks(ctx), ctx);
    const { task } = known;
    requireNotRunning(task, ctx);
    ctx.agentRuns.requireRoom();
    const { shown, exact, commands } = await taskPlan(known, ctx);
    const action: PlannedAction = {
      kind: 'task',
      subject: known.name,
      intent: { type: 'task' },
      arguments: shown,
      ...(commands.length > 0 && { also: 'command' }),
    };
    const asked = savingFirst(action, 'task', ctx);
    if ((await call.approve(asked)) === 'shown') await requireSame(known, exact, ctx);
    requireAskedAbout(asked, 'task', call.isAllowed, ctx);
    requireNotRunning(task, ctx);
    const before = reportedNow(ctx.vscode);
    const about = { kind: 'task', title: known.name, identity: taskIdentity(task) } as const;
    const run = ctx.agentRuns.begin({ ...about, author: ctx.author() });
    await startTask(ctx.vscode, task, run).catch((error: Error) => run.end({ failed: error.message }));
    const missed = await waitFor(run, { until }, ctx, (isEnough) =>
      waitForOwn(run, wait, call, ctx, isEnough),
    );
    // Output besides problems leads models to fix what is no problem any more.
    const problems = run.result ? await reportedSince(before, ctx) : '';
    if (problems && task.problemMatchers.length > 0)
      return text(`${stateText(run, ctx)} read_run has its output.\n\n${problems}`, missed);
    // VS Code does not tell the matchers of tasks.json.
    return text([runText(run, ctx, args.DEFAULT_CHARACTERS), problems].filter(Boolean).join('\n\n'), missed);
  },
});

/** VS Code runs what the task is by now. @throws UserError if the user was shown something else */
async function requireSame({ name, folder }: KnownTask, exact: string, ctx: Context): Promise<void> {
  const now = taskNamed(name, folder, await knownTasks(ctx), ctx);
  if ((await taskPlan(now, ctx)).exact !== exact)
    throw new UserError('The task has changed since the user was asked. Nothing ran. Call run_task again.');
}

/** @throws UserError if it runs: VS Code gives a second start of a task the execution of the first */
function requireNotRunning(task: vscode.Task, { agentRuns, vscode }: Context): void {
  const other = agentRuns.runningOf('task', taskIdentity(task));
  if (other)
    throw new UserError(
      `This task runs already, as run ${other.id}. Read it with read_run, or stop it first.`,
    );
  if (isRunning(vscode, task)) throw new UserError(USER_RUNS_IT);
}

/** What identifies a problem while lines move. */
const keyOf = (uri: vscode.Uri, { message, severity, source }: vscode.Diagnostic): string =>
  JSON.stringify([uri.toString(), severity, source, message]);

/** The problems that VS Code shows now, to be compared with those after a task. */
const reportedNow = ({ languages }: typeof vscode): ReadonlySet<string> =>
  new Set(languages.getDiagnostics().flatMap(([uri, all]) => all.map((one) => keyOf(uri, one))));

/** The problems that have come since, in files that the agent may know, as lines of text; empty if none have. */
async function reportedSince(before: ReadonlySet<string>, ctx: Context): Promise<string> {
  const { vscode, files } = ctx;
  const found = await Promise.all(
    vscode.languages.getDiagnostics().map(async ([uri, all]): Promise<FoundProblems[]> => {
      const diagnostics = all.filter((one) => !before.has(keyOf(uri, one)));
      const location = diagnostics.length > 0 ? await files.permitted(uri) : undefined;
      return location ? [{ location, parts: [{ diagnostics }] }] : [];
    }),
  );
  const problems = await problemsIn(found.flat(), 'hint', ctx);
  return newProblems(
    'New problems',
    problems.filter((one) => one.problems.length > 0),
  ).join('\n');
}
