import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Context } from '../context.ts';

/** Most names in an error. */
const MOST_NAMED = 20;

/** A task that an agent may know. */
export interface KnownTask {
  task: vscode.Task;
  /** As VS Code's own list names it: with the extension that has found it. */
  name: string;
  /** Of several workspace folders, the one that it is of. */
  folder?: string;
  /** What it runs, as far as VS Code tells. */
  runs: string;
}

/** The tasks of tasks.json in all folders, and those that extensions find. @throws UserError if VS Code does not answer */
export async function knownTasks({ vscode, files }: Context): Promise<KnownTask[]> {
  files.policy.requireOperation('run');
  const tasks = await withDeadline(vscode.tasks.fetchTasks(), 'looking for tasks');
  const shown = await Promise.all(
    tasks.map(async (task): Promise<KnownTask[]> => {
      const { name, source, scope } = task;
      const folder =
        typeof scope === 'object' ? await files.permitted((scope as vscode.WorkspaceFolder).uri) : undefined;
      if (!folder && (typeof scope === 'object' || !files.policy.mayListUnnamed())) return [];
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
