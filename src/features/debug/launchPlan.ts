import type { ApprovalKind } from '../../access/accessSettings.ts';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { StartedAs } from '../../services/debug/debuggee.ts';
import type { Context } from '../context.ts';
import { commandsIn, withSettings } from '../variables.ts';
import { membersOf, requireSameTasks, tasksOf } from './launchTasks.ts';

/** What is to be started, and what the user is asked about. */
export interface Plan {
  title: string;
  intent?: 'restart';
  shown: Record<string, unknown>;
  /** A kind of operation that it is beside debugging: it runs a task, or tests. */
  also?: readonly ApprovalKind[];
  /** The kind of run before which VS Code saves all files. */
  saves?: 'task' | 'tests';
  /** @throws UserError if something has changed since the user was asked */
  recheck?(): Promise<void>;
  what: readonly StartedAs[] | (() => PromiseLike<unknown>);
}

/** Longest JSON of an agent's own configuration, in UTF-16 units: the question shows all of it. */
const MOST_CONFIGURATION = 10_000;

/**
 * What an agent's own configuration may not have: it would run what is not shown, or after the user has looked.
 *
 * @throws UserError
 */
export function requireOwnOnly(configuration: Fields): void {
  const json = JSON.stringify(configuration);
  if (json.length > MOST_CONFIGURATION)
    throw new UserError(
      `configuration has ${json.length} characters of JSON; at most ${MOST_CONFIGURATION}.`,
    );
  if (/\$\{(command|input|config):/.test(json))
    throw new UserError(
      'configuration must not run commands of VS Code, nor take inputs or settings: write their values.',
    );
  if (membersOf(configuration, 'postDebugTask').length > 0)
    throw new UserError(
      'configuration must not have postDebugTask: call run_task when the session has ended.',
    );
  if (startsOthers(configuration))
    throw new UserError(
      'configuration must not start another one when its server is ready: call debug_start again.',
    );
  const isName = (one: unknown) => typeof one === 'string' && !one.includes('${');
  if (!membersOf(configuration, 'preLaunchTask').every(isName))
    throw new UserError('preLaunchTask of configuration must be the name of a task, as in list_tasks.');
}

/** Whether it starts another session when its server is ready. */
const startsOthers = (
  configuration: Fields,
  actions: readonly unknown[] = ['startDebugging', 'debugWithChrome', 'debugWithEdge'],
): boolean =>
  membersOf(configuration, 'serverReadyAction').some((one) => actions.includes(fieldsOf(one).action));

/**
 * The user is shown all of each configuration with the values of settings, and what its tasks run.
 *
 * @throws UserError if a task is not known, or something runs that cannot be shown
 */
export async function planned(parts: readonly StartedAs[], ctx: Context): Promise<Plan> {
  const [{ configuration, options } = { configuration: undefined }] = parts;
  if (!configuration) throw new UserError('It has no configurations.');
  if (parts.some((one) => startsOthers(one.configuration, ['startDebugging'])))
    throw new UserError(
      'It starts another configuration when its server is ready: start that with a call of its own, or ask the user.',
    );
  const { shown, commands } = await shownOf(parts, ctx);
  const folders = [...new Set(parts.flatMap(({ folder }) => (folder ? [folder.name] : [])))];
  const tasks = await tasksOf(parts, ctx);
  const hasTasks = tasks.length > 0;
  const hasCommands = [commands, ...tasks.map((one) => one.commands)].some((ids) => ids.length > 0);
  const savesLater = parts.some(
    (one) => membersOf(one.configuration, 'postDebugTask').length > 0 || startsOthers(one.configuration),
  );
  const also: ApprovalKind[] = [
    ...(hasTasks ? (['task'] as const) : []),
    ...(hasCommands ? (['command'] as const) : []),
  ];
  return {
    title: configuration.name,
    shown: {
      ...(parts.length === 1 ? { configuration: shown[0] } : { configurations: shown }),
      ...(folders.length > 0 && { folder: folders.join(', ') }),
      ...(options.noDebug && { noDebug: true }),
      ...(commands.length > 0 && { commands }),
      ...(hasTasks && { tasks: tasks.map((one) => one.shown) }),
      ...(savesLater && { note: SAVES_LATER }),
    },
    ...(also.length > 0 && { also }),
    ...((hasTasks || savesLater) && { saves: 'task' }),
    recheck: async () => {
      if (JSON.stringify(await shownOf(parts, ctx)) !== JSON.stringify({ shown, commands }))
        throw new UserError(
          'A setting that it uses has changed since the user was asked. Nothing was started. Call it again.',
        );
      await requireSameTasks(tasks, parts, ctx);
    },
    what: parts,
  };
}

/** The configurations with the values of settings, and the commands of VS Code that run to replace other variables. */
async function shownOf(parts: readonly StartedAs[], ctx: Context) {
  const shown = parts.map(({ configuration, folder }) => withSettings(configuration, folder?.uri, ctx));
  const commands = await Promise.all(
    shown.map((one, at) => commandsIn(one, 'launch', parts[at]?.folder?.uri, ctx)),
  );
  return { shown, commands: commands.flat() };
}

const SAVES_LATER =
  'While the program runs and when it ends, VS Code runs more: it may save text that you type until then.';
