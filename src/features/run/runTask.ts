import type * as vscode from 'vscode';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/messages.ts';
import { startTask } from '../../services/run/taskStart.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { type FoundProblems, problemsIn } from '../language/fileProblems.ts';
import { newProblems } from '../language/problemChanges.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText, stateText } from './runText.ts';
import { requireAskedAbout, savingFirst } from './savedFirst.ts';
import { type KnownTask, knownTasks, taskNamed } from './tasks.ts';

export const runTask = defineTool({
  name: 'run_task',
  title: 'Run task',
  description:
    'Runs a task of VS Code by its name. Use it for what the project defines. Returns exit code and output, or the new problems if it has a problem matcher; after wait seconds it goes on as a numbered run.',
  group: 'run',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    task: z.string().min(1).describe('As in list_tasks'),
    folder: z.string().optional().describe('If several have it'),
    wait: args.wait(),
  }),
  async run({ task: name, folder, wait }, ctx, call) {
    const known = taskNamed(name, folder, await knownTasks(ctx), ctx);
    const { task, runs } = known;
    requireNotRunning(known.name, ctx);
    ctx.agentRuns.requireRoom();
    const about = { task: known.name, ...(known.folder && { folder: known.folder }), runs };
    const action: PlannedAction = {
      ...{ kind: 'task', subject: known.name, intent: { type: 'task' } },
      arguments: about,
    };
    const asked = savingFirst(action, 'task', ctx);
    if ((await call.approve(asked)) === 'shown') await requireSame(known, ctx);
    requireAskedAbout(asked, 'task', call.isApproved, ctx);
    const before = reportedNow(ctx.vscode);
    const run = ctx.agentRuns.begin({ kind: 'task', title: known.name, author: ctx.author() });
    await startTask(ctx.vscode, task, run).catch((error: Error) => run.end({ failed: error.message }));
    await run.wait(args.waitTime(wait), call.signal);
    // Output besides problems leads models to fix what is no problem any more.
    const problems = run.result ? await reportedSince(before, ctx) : '';
    if (problems && task.problemMatchers.length > 0)
      return text(`${stateText(run, ctx)} read_run has its output.\n\n${problems}`);
    // VS Code does not tell the matchers of tasks.json.
    return text([runText(run, ctx, args.DEFAULT_CHARACTERS), problems].filter(Boolean).join('\n\n'));
  },
});

/** VS Code runs what the task is by now. @throws UserError if the user was shown something else */
async function requireSame({ name, folder, runs }: KnownTask, ctx: Context): Promise<void> {
  const now = taskNamed(name, folder, await knownTasks(ctx), ctx);
  if (now.runs !== runs)
    throw new UserError('The task has changed since the user was asked. Nothing ran. Call run_task again.');
}

/** VS Code gives a second start of a task the execution of the first. */
function requireNotRunning(name: string, { agentRuns }: Context): void {
  const other = agentRuns.all.find(({ kind, title, result }) => kind === 'task' && title === name && !result);
  if (other)
    throw new UserError(
      `This task runs already, as run ${other.id}. Read it with read_run, or stop it first.`,
    );
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
