import type * as vscode from 'vscode';
import type { TaskRun } from '../../services/runs.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';

/** Running and recent tasks. */
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
  const { name, source, scope } = task;
  const folder =
    typeof scope === 'object' ? await files.permitted((scope as vscode.WorkspaceFolder).uri) : undefined;
  if (!folder && (typeof scope === 'object' || !files.policy.mayListUnnamed())) return undefined;
  return {
    name: files.redactor.text(name),
    source: files.redactor.text(source),
    ...(folder && { folder: folder.path }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt ? { endedAt: endedAt.toISOString() } : { running: true }),
    ...(exitCode !== undefined && { exitCode }),
  };
}
