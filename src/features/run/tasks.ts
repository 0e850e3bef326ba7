import { isAbsolute, join } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { isClosedSetting } from '../settingFiles.ts';
import { commandsIn, withSettings } from '../variables.ts';
import { scriptsIn } from './scripts.ts';
import { dependenciesOf, exactly, factsOf, tasksIn } from './taskFacts.ts';

/** Most names in an error. */
const MOST_NAMED = 20;

export interface KnownTask {
  task: vscode.Task;
  /** As VS Code's own list names it: with the extension that has found it. */
  name: string;
  /** The task's workspace folder, if there are several. */
  folder?: string;
  /** All that VS Code lists: this one may depend on some. */
  all: readonly vscode.Task[];
}

/** Its folder, undefined if it has none; `closed` if that, or a file that says what it runs, is closed to the agent. */
export async function placeOf(task: vscode.Task, ctx: Context): Promise<Location | 'closed' | undefined> {
  const { files } = ctx;
  if (comesFromClosed(task, ctx)) return 'closed';
  if (typeof task.scope !== 'object') return files.policy.mayListUnnamed() ? undefined : 'closed';
  return (await files.permitted(task.scope.uri)) ?? 'closed';
}

function comesFromClosed({ source, scope, definition }: vscode.Task, ctx: Context): boolean {
  const folder = typeof scope === 'object' ? scope : undefined;
  const level = folder ? 'folder' : 'workspace';
  if (source === 'Workspace' && isClosedSetting('tasks', level, folder, ctx)) return true;
  if (!folder || OWN_TYPES.includes(definition.type)) return false;
  const manifest = definition.type === 'npm' ? [`${definition.path ?? '.'}/package.json`] : [];
  const named = Object.values(definition).filter((one) => typeof one === 'string' && /[./\\]/.test(one));
  const { Uri } = ctx.vscode;
  return [...manifest, ...named].some((path: string) => {
    const own = path.replace(/^\$\{workspaceFolder\}[\\/]/, '');
    return ctx.files.isClosed(isAbsolute(own) ? Uri.file(own) : Uri.joinPath(folder.uri, own));
  });
}

/** Types of tasks whose definition says nothing but what tasks.json has. */
const OWN_TYPES = ['shell', 'process', '$composite'];

/** The tasks of tasks.json in all folders, and those that extensions find. @throws UserError if VS Code does not answer */
export async function knownTasks(ctx: Context): Promise<KnownTask[]> {
  const { vscode, files } = ctx;
  const tasks = await withDeadline(vscode.tasks.fetchTasks(), 'looking for tasks');
  const shown = await Promise.all(
    tasks.map(async (task): Promise<KnownTask[]> => {
      const { name, source } = task;
      const folder = await placeOf(task, ctx);
      if (folder === 'closed') return [];
      const own = source === 'Workspace' || source === 'User' ? name : `${source}: ${name}`;
      const isOneOfSeveral = folder && files.folders().length > 1;
      return [{ task, name: own, all: tasks, ...(isOneOfSeveral && { folder: folder.path }) }];
    }),
  );
  return shown.flat();
}

/** A task as a question shows it, and all of it as a text to be compared after the question. */
export interface TaskPlan {
  shown: Fields;
  exact: string;
  /** Commands of VS Code that run to replace its variables. */
  commands: readonly string[];
}

/**
 * What it runs, where, with which shell, environment and scripts, and the same of the tasks before it; settings in the place of their variables.
 *
 * @throws UserError if it needs a command that agents may not execute
 */
export async function taskPlan({ task, name, folder, all }: KnownTask, ctx: Context): Promise<TaskPlan> {
  const needs = dependenciesOf(task, all, ctx.vscode);
  const scripts = await scriptsOf([task, ...needs.flatMap(tasksIn)], ctx);
  const { scope } = task;
  const uri = typeof scope === 'object' ? scope.uri : undefined;
  const facts = withSettings(factsOf(task, needs, scripts), uri, ctx);
  const definition = withSettings(task.definition, uri, ctx);
  const commands = await commandsIn([facts, definition], 'tasks', uri, ctx);
  return {
    shown: {
      task: name,
      ...(folder && { folder }),
      ...facts,
      ...(commands.length > 0 && { commands }),
    },
    exact: withSettings(exactly(task, needs, scripts), uri, ctx),
    commands,
  };
}

/** All scripts of package.json for each task that runs one, as far as the agent may see them. */
async function scriptsOf(tasks: readonly vscode.Task[], ctx: Context): Promise<Map<vscode.Task, Fields>> {
  const found = new Map<vscode.Task, Fields>();
  for (const task of tasks) {
    const { type, path = '' } = fieldsOf(task.definition);
    if (type !== 'npm' || typeof task.scope !== 'object') continue;
    const directory = join(task.scope.uri.fsPath, String(path));
    found.set(task, (await scriptsIn(directory, ctx)) ?? {});
  }
  return found;
}

/** @throws UserError if there is none, or several */
export function taskNamed(
  name: string,
  folder: string | undefined,
  known: readonly KnownTask[],
  { files: { redactor } }: Context,
): KnownTask {
  const [wanted, inFolder] = [name.trim(), folder?.replace(/\/$/, '')];
  const of = known.filter((one) => inFolder === undefined || (one.folder ?? inFolder) === inFolder);
  const named = of.filter((one) => one.name === wanted);
  const found = named.length > 0 ? named : of.filter(({ task }) => task.name === wanted);
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const places = found.map(({ name: own, folder: of }) =>
      visible(redactor.text(of ? `${own} (folder ${of})` : own)),
    );
    throw new UserError(`Several tasks are named so. Pass the whole name, and folder: ${places.join(', ')}.`);
  }
  if (known.length === 0) throw new UserError('This window has no tasks that you may see. Use run_command.');
  const names = known.slice(0, MOST_NAMED).map((one) => visible(redactor.text(one.name)));
  throw new UserError(
    `There is no task ${visible(wanted)}. There are: ${names.join(', ')}${known.length > MOST_NAMED ? ', … (list_tasks has all)' : ''}.`,
  );
}
