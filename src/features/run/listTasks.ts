import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { itemsOf } from '../../core/json.ts';
import { commandLine } from '../../core/shell.ts';
import { fitting } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import type { TaskRun } from '../../services/windowRuns.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { factsOf } from './taskFacts.ts';
import { type KnownTask, knownTasks, placeOf } from './tasks.ts';

export const tasks = editorResource({
  name: 'tasks',
  all: {
    title: 'Tasks',
    description:
      'Running tasks and those that ended since the first agent connected, newest first, with exit codes.',
    priority: 0.5,
    lastModified: ({ windowRuns }) => windowRuns.changedAt('tasks'),
    read: async (ctx) => {
      const shown = await Promise.all(ctx.windowRuns.tasks.all.map((run) => taskOf(run, ctx)));
      return { tasks: shown.filter((one) => one !== undefined) };
    },
  },

  follow: ({ windowRuns }, { all }) => windowRuns.onDidChange('tasks', all),
});

/** Undefined if it is closed to the agent. */
async function taskOf({ task, startedAt, endedAt, exitCode }: TaskRun, ctx: Context) {
  const { files } = ctx;
  const folder = await placeOf(task, ctx);
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
  alsoNeeds: ['run'], // it says what runs
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: args.query.optional(),
  }),
  async run({ query = '' }, ctx) {
    const all = await knownTasks(ctx);
    const found = all
      .filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
      .map((one) => ctx.files.redactor.text(lineOf(one, ctx)))
      .sort();
    if (found.length === 0)
      return text(
        all.length === 0
          ? 'This window has no tasks that you may see. Use run_command.'
          : `No task has "${query}" in its name; there are ${all.length}.`,
      );
    const shown = fitting(found, args.DEFAULT_CHARACTERS, ({ length }) => length + 1);
    const rest = found.length - shown;
    return text(found.slice(0, shown).join('\n'), rest > 0 ? `${rest} more tasks; pass a query.` : undefined);
  },
});

function lineOf({ name, folder, task }: KnownTask, { files, vscode }: Context): string {
  const { runs, directory, environment, shell } = factsOf(task);
  const { detail, group, isBackground, scope } = task;
  const own = typeof scope === 'object' ? scope.uri.fsPath : undefined;
  const isUsual = directory === undefined || directory === own || directory === `\${workspaceFolder}`;
  const words = shell && [shell.executable ?? '', ...itemsOf(shell.args)].map(String);
  const notes = [
    folder && `folder ${folder}`,
    ...[group?.id, isBackground && 'background', detail],
    !isUsual && `in ${isAbsolute(directory) ? files.displayPath(vscode.Uri.file(directory)) : directory}`,
    environment && `environment ${Object.keys(environment).join(' ')}`,
    words && `shell ${commandLine(words, 'posix')}`,
  ].filter(Boolean);
  return visible(`${name}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${runs}`).replaceAll('\n', ' ');
}
