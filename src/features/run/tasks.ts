import type * as vscode from 'vscode';
import * as z from 'zod';
import { fitting, UserError, visible } from '../../core/messages.ts';
import type { TaskRun } from '../../services/runs.ts';
import { withDeadline } from '../../util/clock.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';

export const tasks = editorResource({
  name: 'tasks',
  all: {
    title: 'Tasks',
    description:
      'Running tasks and those that ended since the first agent connected, newest first, with exit codes.',
    priority: 0.5,
    lastModified: ({ runs }) => runs.changedAt('tasks'),
    read: async (ctx) => {
      const shown = await Promise.all(ctx.runs.tasks.all.map((run) => taskOf(run, ctx)));
      return { tasks: shown.filter((one) => one !== undefined) };
    },
  },

  follow: ({ runs }, { all }) => runs.onDidChange('tasks', all),
});

/** Undefined if its folder is closed to the agent. */
async function taskOf({ task, startedAt, endedAt, exitCode }: TaskRun, { files }: Context) {
  const folder = await folderOf(task, files);
  if (folder === 'closed') return undefined;
  return {
    name: files.redactor.text(task.name),
    source: files.redactor.text(task.source),
    ...(folder && { folder: folder.path }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt ? { endedAt: endedAt.toISOString() } : { running: true }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks of VS Code with what each runs: of tasks.json, and those that extensions find, such as scripts of package.json. Call it before run_task.',
  group: 'run',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: args.query.optional(),
  }),
  async run({ query = '' }, ctx) {
    const all = await knownTasks(ctx);
    const found = all
      .filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
      .map((one) => ctx.files.redactor.text(lineOf(one)))
      .sort();
    if (found.length === 0)
      return text(
        all.length === 0
          ? 'This window has no tasks. Use run_command.'
          : `No task has "${query}" in its name; there are ${all.length}.`,
      );
    const shown = fitting(found, args.DEFAULT_CHARACTERS, ({ length }) => length + 1);
    const rest = found.length - shown;
    return text(found.slice(0, shown).join('\n'), rest > 0 ? `${rest} more tasks; pass a query.` : undefined);
  },
});

function lineOf({ name, folder, runs, task: { detail, group, isBackground } }: KnownTask): string {
  const facts = [folder && `folder ${folder}`, group?.id, isBackground && 'background', detail].filter(
    Boolean,
  );
  return visible(`${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${runs}`).replaceAll('\n', ' ');
}

/** Most names in an error. */
const MOST_NAMED = 20;

export interface KnownTask {
  task: vscode.Task;
  /** As VS Code's own list names it: with the extension that has found it. */
  name: string;
  /** Of several workspace folders, the one that it is of. */
  folder?: string;
  /** What it runs, as far as VS Code tells. */
  runs: string;
}

/** Undefined if the task is of no folder. */
async function folderOf({ scope }: vscode.Task, files: Context['files']) {
  if (typeof scope !== 'object') return files.policy.mayListUnnamed() ? undefined : 'closed';
  return (await files.permitted((scope as vscode.WorkspaceFolder).uri)) ?? 'closed';
}

/** The tasks of tasks.json in all folders, and those that extensions find. @throws UserError if VS Code does not answer */
export async function knownTasks({ vscode, files }: Context): Promise<KnownTask[]> {
  files.policy.requireOperation('run');
  const tasks = await withDeadline(vscode.tasks.fetchTasks(), 'looking for tasks');
  const shown = await Promise.all(
    tasks.map(async (task): Promise<KnownTask[]> => {
      const { name, source } = task;
      const folder = await folderOf(task, files);
      if (folder === 'closed') return [];
      const own = source === 'Workspace' || source === 'User' ? name : `${source}: ${name}`;
      const isOneOfSeveral = folder && files.folders().length > 1;
      return [{ task, name: own, ...(isOneOfSeveral && { folder: folder.path }), runs: whatRuns(task) }];
    }),
  );
  return shown.flat();
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
  if (known.length === 0) throw new UserError('This window has no tasks. Use run_command.');
  const names = known.slice(0, MOST_NAMED).map((one) => visible(redactor.text(one.name)));
  throw new UserError(
    `There is no task ${visible(wanted)}. There are: ${names.join(', ')}${known.length > MOST_NAMED ? ', … (list_tasks has all)' : ''}.`,
  );
}

/** Its command line; of a task that depends on others, their names. */
function whatRuns({ execution, definition }: vscode.Task): string {
  if (execution && 'process' in execution) return [execution.process, ...execution.args].join(' ');
  if (execution && 'commandLine' in execution && execution.commandLine) return execution.commandLine;
  if (execution && 'command' in execution) {
    const words = [execution.command, ...(execution.args ?? [])];
    return words.map((word) => (typeof word === 'string' ? word : (word?.value ?? ''))).join(' ');
  }
  return definition.type === '$composite' ? 'the tasks that it depends on' : JSON.stringify(definition);
}
