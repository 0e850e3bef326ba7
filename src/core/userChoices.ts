import type * as vscode from 'vscode';
import { isObject } from './json.ts';
import { SELECT_WINDOW } from './windowTools.ts';

/** What the user has decided for agents. Grants as they are kept: commands that may run, and tools of hosted servers. */

const RUN = 'run:';

/** A command that the user can allow for longer than once. */
export interface AllowedCommand {
  words: readonly string[];
  /** Absolute path of its working directory, all links resolved. */
  cwd: string;
  /** All scripts of its package.json, if it runs one of them, as JSON: it is allowed while they stay so. */
  scripts?: string;
}

export const runGrant = ({ words, cwd, scripts }: AllowedCommand): `run:${string}` =>
  `${RUN}${JSON.stringify([cwd, words, ...(scripts === undefined ? [] : [scripts])])}`;

/** Undefined if the grant is another one. */
export function commandOf(grant: string): AllowedCommand | undefined {
  if (!grant.startsWith(RUN)) return undefined;
  const [cwd, words, scripts] = JSON.parse(grant.slice(RUN.length)) as [string, string[], string?];
  return { cwd, words, ...(scripts !== undefined && { scripts }) };
}

/** Whether two are the same words in the same place, perhaps with other scripts. */
export const isSameCommand = (a: AllowedCommand | undefined, b: AllowedCommand | undefined): boolean =>
  a !== undefined && a.cwd === b?.cwd && JSON.stringify(a.words) === JSON.stringify(b.words);

/** Whether a program runs, by the kind of approval: a command, a task, tests, or what is debugged. */
export const isRun = (kind: string): boolean => ['run', 'task', 'test', 'debug'].includes(kind);

/** Whether no answer to a request lasts. Of what runs, the user's settings can still answer in advance. */
export const isAskedEachTime = (request: {
  kind: string;
  command?: AllowedCommand;
  everyTime?: boolean;
}): boolean =>
  request.everyTime === true || request.kind === 'task' || (request.kind === 'run' && !request.command);

const SERVER = 'server:';

/** What the user allows or denies of a hosted server: its key, its name, and one tool or all of them. */
interface AllowedOfServer {
  key: string;
  name: string;
  /** By the server's own name. */
  tool?: string;
}

export const serverGrant = ({ key, name, tool }: AllowedOfServer): `server:${string}` =>
  `${SERVER}${JSON.stringify([key, name, ...(tool === undefined ? [] : [tool])])}`;

/** Undefined if the grant is one of a kind. */
export function serverOf(grant: string): AllowedOfServer | undefined {
  if (!grant.startsWith(SERVER)) return undefined;
  const [key = '', name = '', tool] = JSON.parse(grant.slice(SERVER.length)) as string[];
  return { key, name, ...(tool !== undefined && { tool }) };
}

/** The setting that switches a tool off; undefined if the tool is on. */
export type SwitchedOffBy = (tool: { name: string; group: string }) => string | undefined;

/**
 * Tools that the user or the workspace has switched off; neither can switch on what the other has switched off. Malformed values
 * also switch off: a name without a list, a group that is `"false"`.
 */
export function readSwitchedOff({
  getConfiguration,
}: Pick<typeof vscode.workspace, 'getConfiguration'>): SwitchedOffBy {
  const configuration = getConfiguration('workspaceMcp.tools', null);
  const valuesOf = (key: string): unknown[] => {
    const inspected = configuration.inspect(key);
    return [inspected?.globalValue, inspected?.workspaceValue];
  };
  const groups = new Set(valuesOf('groups').flatMap(groupsOff));
  const tools = new Set(valuesOf('disabled').flatMap((value) => restricting(value) ?? []));
  return ({ name, group }) => {
    if (tools.has(name)) return 'workspaceMcp.tools.disabled';
    return groups.has(ALL) || groups.has(group) ? `workspaceMcp.tools.groups ("${group}")` : undefined;
  };
}

/** For the window's record: the setting that switches off the tool that the shim answers without a window, by its name. */
export function windowToolsOff(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration'>,
): Record<string, string> {
  const setting = readSwitchedOff(workspace)(SELECT_WINDOW);
  return setting === undefined ? {} : { [SELECT_WINDOW.name]: setting };
}

const ALL = Symbol('all groups');

/** A malformed value switches off all groups. */
function groupsOff(value: unknown): (string | typeof ALL)[] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) return [ALL];
  return Object.keys(value).filter((group) => value[group] !== true);
}

/**
 * The names in a restricting setting. Malformed values still restrict: a string counts as a list of one, and an object as the names
 * with a true value.
 */
export const restricting = (value: unknown): string[] | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return Object.entries(value).flatMap(([name, isMeant]) => (isMeant ? [name] : []));
};
