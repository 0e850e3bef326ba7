import type * as vscode from 'vscode';
import { restricting } from './restricting.ts';
import { LIST_WINDOWS, SELECT_WINDOW } from './windowTools.ts';

/** The setting that switches a tool off; undefined if the tool is on. */
export type OffBy = (tool: { name: string; group: string }) => string | undefined;

/**
 * Tools that the user or the workspace has switched off; neither can switch on what the other has switched off. Malformed values
 * also switch off: a name without a list, a group that is `"false"`.
 */
export function readSwitchedOff({
  getConfiguration,
}: Pick<typeof vscode.workspace, 'getConfiguration'>): OffBy {
  const configuration = getConfiguration('workspaceMcp.tools', null);
  const valuesOf = (key: string): unknown[] => {
    const inspected = configuration.inspect(key);
    return [inspected?.globalValue, inspected?.workspaceValue];
  };
  const groups = valuesOf('groups').map(groupsOff);
  const tools = new Set(valuesOf('disabled').flatMap((value) => restricting(value) ?? []));
  return ({ name, group }) => {
    if (tools.has(name)) return 'workspaceMcp.tools.disabled';
    return groups.some((isOff) => isOff(group)) ? `workspaceMcp.tools.groups ("${group}")` : undefined;
  };
}

/** For the window's record: the settings that switch off tools that the shim answers without a window, by tool name. */
export function windowToolsOff(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration'>,
): Record<string, string> {
  const offBy = readSwitchedOff(workspace);
  const settings = [LIST_WINDOWS, SELECT_WINDOW].map((tool) => [tool.name, offBy(tool)]);
  return Object.fromEntries(settings.filter(([, setting]) => setting !== undefined));
}

/** A malformed value switches off all groups. */
function groupsOff(value: unknown): (group: string) => boolean {
  if (value === undefined || value === null) return () => false;
  if (typeof value !== 'object' || Array.isArray(value)) return () => true;
  const off = new Set(Object.entries(value).flatMap(([group, isOn]) => (isOn === true ? [] : [group])));
  return (group) => off.has(group);
}
