import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { StartedAs } from '../../services/debug/debuggee.ts';
import type { Context } from '../context.ts';
import { taskCalled } from '../run/taskFacts.ts';
import { type KnownTask, knownTasks, type TaskPlan, taskPlan } from '../run/tasks.ts';

/** Members of a configuration that name a task. */
const MEMBERS = ['preLaunchTask', 'postDebugTask'] as const;

/** Values of a member, also those for one platform: VS Code puts them in its place. */
export const membersOf = (configuration: Fields, name: string): unknown[] =>
  [configuration, ...['windows', 'osx', 'linux'].map((one) => fieldsOf(configuration[one]))]
    .map((fields) => fields[name])
    .filter((value) => value !== undefined && value !== null && value !== '');

/**
 * The tasks that VS Code runs before and after, with what each runs.
 *
 * @throws UserError if one is not known, or the agent may not see it
 */
export async function tasksOf(parts: readonly StartedAs[], ctx: Context): Promise<readonly TaskPlan[]> {
  const named = parts.flatMap(({ configuration, folder }) =>
    MEMBERS.flatMap((member) => membersOf(configuration, member).map((value) => ({ member, value, folder }))),
  );
  if (named.length === 0) return [];
  const known = await knownTasks(ctx);
  return Promise.all(
    named.map(async ({ member, value, folder }) => {
      const plan = await taskPlan(taskMeant(value, folder, known, ctx), ctx);
      return { ...plan, shown: { [member]: value, ...plan.shown } };
    }),
  );
}

/** @throws UserError if there is none, or it is not known which one VS Code runs */
function taskMeant(
  value: unknown,
  folder: vscode.WorkspaceFolder | undefined,
  known: readonly KnownTask[],
  ctx: Context,
): KnownTask {
  const of = folder && ctx.files.displayPath(folder.uri);
  const own = known.filter((one) => (one.folder ?? of) === of);
  const called = taskCalled(
    value,
    own.map((one) => one.task),
    ctx.vscode,
  );
  const isDefault = ({ group }: vscode.Task) => group?.id === 'build' && group.isDefault === true;
  const found = own.filter(({ task }) => (value === DEFAULT_BUILD ? isDefault(task) : task === called));
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  throw new UserError(
    `${only ? 'Several tasks are' : 'No task is'} ${JSON.stringify(value)}, which the configuration names. list_tasks has those that there are; ask the user.`,
  );
}

const DEFAULT_BUILD = `\${defaultBuildTask}`;

/** @throws UserError if a task is another one now than the user was shown */
export async function requireSameTasks(
  shown: readonly TaskPlan[],
  parts: readonly StartedAs[],
  ctx: Context,
): Promise<void> {
  if (JSON.stringify(await tasksOf(parts, ctx)) !== JSON.stringify(shown))
    throw new UserError('A task has changed since the user was asked. Nothing was started. Call it again.');
}
