/** What a task of VS Code is: what a question shows of it, and what must still be so after the answer. */
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { commandLine } from '../../core/shell.ts';
import { taskIdentity } from '../../services/run/taskStart.ts';
import { scriptsRun } from './scripts.ts';

export interface TaskFacts {
  /** What it runs, as far as VS Code tells. */
  runs: string;
  directory?: string;
  /** What is added to the environment. */
  environment?: Fields;
  /** The program that runs the command line, if the task names one, with its arguments and its ways of quoting. */
  shell?: Fields;
  /** The script of package.json that it runs, with its pre and post scripts. */
  scripts?: Fields;
  /** The tasks that run before it, with their facts. */
  dependsOn?: readonly Fields[];
}

/** All scripts of the package.json of each task that runs one. */
type Scripts = ReadonlyMap<vscode.Task, Fields>;

/** The parts of each kind of execution, which its class has as accessors. */
const PARTS = ['process', 'commandLine', 'command', 'args', 'options'] as const;

const partsOf = ({ execution }: vscode.Task): Fields =>
  Object.fromEntries(PARTS.map((part) => [part, (execution as Fields | undefined)?.[part]]));

/** @param needs what it depends on, as `dependenciesOf` finds it */
export function factsOf(
  task: vscode.Task,
  needs: readonly Dependency[] = [],
  scripts: Scripts = new Map(),
): TaskFacts {
  const { cwd, env, executable, shellArgs, shellQuoting } = fieldsOf(partsOf(task).options);
  const shell = {
    ...(executable !== undefined && { executable }),
    ...(shellArgs !== undefined && { args: shellArgs }),
    ...(shellQuoting !== undefined && { quoting: shellQuoting }),
  };
  return {
    runs: whatRuns(task),
    ...(typeof cwd === 'string' && { directory: cwd }),
    ...(isObject(env) && Object.keys(env).length > 0 && { environment: env }),
    ...(Object.keys(shell).length > 0 && { shell }),
    ...(scripts.has(task) && { scripts: scriptsRun(String(task.definition.script), scripts.get(task)) }),
    ...(needs.length > 0 && {
      dependsOn: needs.map((one) => ({
        task: one.name,
        ...(one.task ? factsOf(one.task, one.needs, scripts) : { runs: 'nothing: VS Code has no such task' }),
      })),
    }),
  };
}

/** All that decides what happens when it is run, as a text to be compared. */
export const exactly = (task: vscode.Task, needs: readonly Dependency[], scripts: Scripts): string =>
  JSON.stringify([
    taskIdentity(task),
    partsOf(task),
    task.definition,
    task.isBackground,
    scripts.get(task),
    needs.map((one) => one.task && exactly(one.task, one.needs, scripts)),
  ]);

/** Its command line, in which what the shell gets as one word looks like one; of a task without a command, its definition. */
function whatRuns(task: vscode.Task): string {
  const { process, commandLine: line, command, args } = partsOf(task);
  if (typeof process === 'string') return commandLine([process, ...itemsOf(args).map(String)], 'posix');
  if (typeof line === 'string' && line !== '') return line;
  if (command) return [command, ...itemsOf(args)].map(shellWord).join(' ');
  const { definition } = task;
  return definition.type === '$composite' ? 'the tasks that it depends on' : JSON.stringify(definition);
}

/** VS Code's numbers. */
const QUOTING = ['', 'escape', 'strong', 'weak'];

/** VS Code quotes a plain text as the shell needs it, and others in the way that they say. */
function shellWord(word: unknown): string {
  const { value, quoting } = fieldsOf(word);
  if (quoting) return JSON.stringify({ value, quoting: QUOTING[Number(quoting)] ?? quoting });
  const text = String(value ?? word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}

/** A task that runs before another one. */
export interface Dependency {
  name: string;
  /** Undefined if VS Code does not list it. */
  task: vscode.Task | undefined;
  needs: readonly Dependency[];
}

/** It, and what it needs. */
export const tasksIn = ({ task, needs }: Dependency): vscode.Task[] => [
  ...(task ? [task] : []),
  ...needs.flatMap(tasksIn),
];

/**
 * What a task of tasks.json depends on, in its order. VS Code tells it by the setting `tasks` only.
 *
 * @param all that VS Code lists
 * @param seen whose own are found already: tasks.json may have a circle
 */
export function dependenciesOf(
  task: vscode.Task,
  all: readonly vscode.Task[],
  code: typeof vscode,
  seen = new Set<vscode.Task>(),
): Dependency[] {
  seen.add(task);
  const entries = entriesFor(task, code);
  const { dependsOn = [] } = entries.find((one) => isEntryOf(one, task)) ?? {};
  return [dependsOn].flat().map((named) => {
    const name = typeof named === 'string' ? named : JSON.stringify(named);
    const own = all.filter((one) => scopeOf(one) === scopeOf(task)); // VS Code looks nowhere else
    const found = taskCalled(named, own, code);
    const needs = !found || seen.has(found) ? [] : dependenciesOf(found, all, code, seen);
    return { name, task: found, needs };
  });
}

/**
 * The one that VS Code means in tasks.json or launch.json: by its label, an identifier in tasks.json, or its definition. Undefined if
 * there is none: VS Code runs nothing then.
 *
 * @throws UserError if there are several: VS Code does not tell which of them it runs
 */
export function taskCalled(
  named: unknown,
  all: readonly vscode.Task[],
  code: typeof vscode,
): vscode.Task | undefined {
  const isMeant = (one: vscode.Task) => {
    if (isObject(named))
      return isEntryOf(named, one) && Object.keys(named).every((key) => Object.hasOwn(one.definition, key));
    const entries = entriesFor(one, code).filter(({ identifier }) => identifier === named);
    return isEntryOf({ label: named }, one) || entries.some((entry) => isEntryOf(entry, one));
  };
  const [only, ...others] = all.filter(isMeant);
  if (others.length === 0) return only;
  const name = typeof named === 'string' ? named : JSON.stringify(named);
  throw new UserError(
    `Several tasks are called ${name}, by label or identifier: VS Code does not tell which one it runs. Ask the user.`,
  );
}

const scopeOf = ({ scope }: vscode.Task): unknown => (typeof scope === 'object' ? `${scope.uri}` : scope);

/** The entries of tasks.json among which a task is; none if an extension has found it. */
function entriesFor({ source, scope }: vscode.Task, { workspace }: typeof vscode): Fields[] {
  if (source !== 'Workspace' && source !== 'User') return [];
  const folder = typeof scope === 'object' ? scope.uri : null;
  const inspected = workspace.getConfiguration('tasks', folder).inspect('tasks');
  const { globalValue, workspaceValue, workspaceFolderValue } = fieldsOf(inspected);
  const own = folder ? workspaceFolderValue : source === 'User' ? globalValue : workspaceValue;
  return itemsOf(own).map(fieldsOf);
}

/** By its label; without one, by all that defines a task of its type. */
function isEntryOf(
  { label, taskName, ...entry }: Fields,
  { name, source, definition }: vscode.Task,
): boolean {
  const own = label ?? taskName;
  if (own !== undefined) return own === name || own === `${source}: ${name}`;
  return Object.entries(definition).every(
    ([key, value]) => JSON.stringify(entry[key]) === JSON.stringify(value),
  );
}
