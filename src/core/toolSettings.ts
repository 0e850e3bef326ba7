import type * as vscode from 'vscode';
import { isObject } from './json.ts';
import { type Setting, settingLevels } from './settings.ts';
import { SELECT_WINDOW } from './windowTools.ts';

/** Which tools the user has switched off, and how restricting settings are read. */

/** The setting that switches a tool off; undefined if the tool is on. */
export type SwitchedOffBy = (tool: { name: string; group: string }) => string | undefined;

type Configured = Pick<typeof vscode.workspace, 'getConfiguration'>;

/**
 * Tools that the user or the workspace has switched off; neither can switch on what the other has switched off. Malformed values
 * also switch off: a name without a list, a group that is `"false"`.
 */
export function readSwitchedOff(workspace: Configured): SwitchedOffBy {
  const groups = new Set(valuesOf(workspace, 'tools.groups').flatMap(groupsOff));
  const tools = new Set(disabledTools(workspace));
  return ({ name, group }) => {
    if (tools.has(name)) return 'workspaceMcp.tools.disabled';
    return groups.has(ALL) || groups.has(group) ? `workspaceMcp.tools.groups ("${group}")` : undefined;
  };
}

/** The tools that are switched off by their names. */
export const disabledTools = (workspace: Configured): string[] =>
  valuesOf(workspace, 'tools.disabled').flatMap((value) => restricting(value) ?? []);

function valuesOf(workspace: Configured, name: Setting): unknown[] {
  const { globalValue, workspaceValue } = settingLevels(workspace, name, null);
  return [globalValue, workspaceValue];
}

/** For the window's record: the setting that switches off the tool that the shim answers without a window, by its name. */
export function windowToolsOff(workspace: Configured): Record<string, string> {
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
