import type * as vscode from 'vscode';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { UserError } from '../../core/messages.ts';
import type { StartedAs } from '../../services/debug/debuggee.ts';
import type { Context } from '../context.ts';
import { tasksCalled } from '../run/taskFacts.ts';
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
      const task = taskMeant(value, folder, known, ctx);
      if (!task) return { shown: { [member]: value, runs: UNTOLD }, exact: '', commands: [] };
      const plan = await taskPlan(task, ctx);
      return { ...plan, shown: { [member]: value, ...plan.shown } };
    }),
  );
}

/** Undefined if VS Code does not tell which one is meant. @throws UserError if there is none */
function taskMeant(
  value: unknown,
  folder: vscode.WorkspaceFolder | undefined,
  known: readonly KnownTask[],
  ctx: Context,
): KnownTask | undefined {
  const of = folder && ctx.files.displayPath(folder.uri);
  const own = known.filter((one) => (one.folder ?? of) === of);
  const isDefault = ({ task: { group } }: KnownTask) => group?.id === 'build' && group.isDefault === true;
  if (value === DEFAULT_BUILD) return onlyOne(own.filter(isDefault));
  if (typeof value !== 'string' || value.includes('${')) return undefined;
  const tasks = own.map(({ task }) => task);
  const called = tasksCalled(value, tasks, ctx.vscode);
  if (called.length === 0)
    throw new UserError(
      `There is no task ${JSON.stringify(value)}, which the configuration names. list_tasks has those that there are.`,
    );
  return onlyOne(own.filter(({ task }) => called.includes(task)));
}

const DEFAULT_BUILD = `\${defaultBuildTask}`;

const onlyOne = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

const UNTOLD = 'VS Code does not tell which task that is.';

/** @throws UserError if a task is another one now than the user was shown */
export async function requireSameTasks(
  shown: readonly TaskPlan[],
  parts: readonly StartedAs[],
  ctx: Context,
): Promise<void> {
  if (JSON.stringify(await tasksOf(parts, ctx)) !== JSON.stringify(shown))
    throw new UserError('A task has changed since the user was asked. Nothing was started. Call it again.');
}
