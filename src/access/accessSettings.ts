import type * as vscode from 'vscode';
import { LIST_WINDOWS, SELECT_WINDOW } from '../core/windowTools.ts';
import type { ApprovalKind, Operation } from './operation.ts';

/** What agents may touch, as the settings say. */
export interface AccessSettings {
  /** Absolute paths outside the workspace that are open as well. */
  allowedPaths: readonly string[];
  /** Globs that are closed. */
  deniedPaths: readonly string[];
  /** Bytes. */
  maxFileSize: number;
  allowedOperations: readonly Operation[];
  /** Patterns of what is masked in all that is read. */
  redact: readonly string[];
}

type Inspected<T> = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>> & { globalValue?: T };

/**
 * The settings that hold for a folder. The person's own value counts (user, remote, default); a workspace's or a
 * folder's may narrow it, never widen it: a repository's settings.json is written by whoever wrote the repository.
 */
export function readAccessSettings(
  { getConfiguration }: Pick<typeof vscode.workspace, 'getConfiguration'>,
  folder?: vscode.Uri,
): AccessSettings {
  const configuration = getConfiguration('workspaceMcp.access', folder ?? null);
  const read = <T>(
    key: keyof AccessSettings,
    narrow: (own: T, by: T) => T,
    valid: (value: unknown) => T | undefined,
  ): T => {
    const inspected = configuration.inspect<T>(key) as Inspected<T>;
    const own = valid(inspected.globalValue) ?? (inspected.defaultValue as T);
    const narrowing = [inspected.workspaceValue, inspected.workspaceFolderValue].map(valid);
    return narrowing.filter((by) => by !== undefined).reduce((narrowed, by) => narrow(narrowed, by), own);
  };
  return {
    allowedPaths: read('allowedPaths', intersection, strings),
    deniedPaths: read('deniedPaths', union, restricting),
    maxFileSize: read('maxFileSize', (own, by) => Math.min(own, by), size),
    allowedOperations: read('allowedOperations', intersection, restricting) as Operation[],
    redact: read('redact', union, patterns),
  };
}

/** Where a setting has a value: in the person's own settings (of this machine or of a remote one), or a repository's. */
export type Level = 'user' | 'workspace' | 'folder';

/** The levels on which a setting has a value that is meant; none where it is the default that holds. */
export function levelsOf(
  { getConfiguration, workspaceFile }: Pick<typeof vscode.workspace, 'getConfiguration' | 'workspaceFile'>,
  folder: vscode.Uri | undefined,
  key: keyof AccessSettings,
  isMeant: (value: unknown) => boolean,
): Level[] {
  const inspected = getConfiguration('workspaceMcp.access', folder ?? null).inspect(key);
  const values: [Level, unknown][] = [
    ['user', inspected?.globalValue],
    ['workspace', inspected?.workspaceValue],
    ['folder', inspected?.workspaceFolderValue],
  ];
  const levels = values.filter(([, value]) => value !== undefined && isMeant(value)).map(([level]) => level);
  // Where a folder alone is open, its settings are those of the workspace too.
  const isNamedTwice = workspaceFile === undefined && levels.includes('workspace');
  return isNamedTwice ? levels.filter((level) => level !== 'folder') : levels;
}

const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
/** What is written wrongly is not passed over where it restricts: a text without a list is one of it, and so is a name that is true. */
export const restricting = (value: unknown): string[] | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return Object.entries(value).flatMap(([name, isMeant]) => (isMeant ? [name] : []));
};
/** An item that is no text is taken for what it looks like, not passed over: what it was to hide would show. */
const patterns = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? item : `${JSON.stringify(item)}`))
    : restricting(value);
/** What is no size allows none. */
const size = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  const bytes = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof bytes === 'number' && bytes >= 0 ? bytes : 0;
};
const intersection = (own: string[], by: string[]): string[] => own.filter((item) => by.includes(item));
const union = (own: string[], by: string[]): string[] => [...own, ...by];

/**
 * The person's default for what needs consent. A setting of the machine: VS Code takes no value for it from a workspace,
 * and what is none of the three asks.
 */
export function approvalSetting({ workspace }: typeof vscode, kind: ApprovalKind): 'allow' | 'ask' | 'deny' {
  const value = workspace.getConfiguration('workspaceMcp').inspect<Record<string, unknown>>('approvals')
    ?.globalValue?.[kind];
  return value === 'allow' || value === 'deny' ? value : 'ask';
}

/** What agents are not offered, though it is there. */
export interface SwitchedOff {
  isGroupOff(group: string): boolean;
  tools: ReadonlySet<string>;
}

/**
 * Tools that the person, or the workspace, has switched off: neither switches on what the other has not. What is written
 * wrongly was meant to switch off: a name without a list, a group that is `"false"`.
 */
export function readSwitchedOff({
  getConfiguration,
}: Pick<typeof vscode.workspace, 'getConfiguration'>): SwitchedOff {
  const configuration = getConfiguration('workspaceMcp.tools', null);
  const valuesOf = (key: string): unknown[] => {
    const inspected = configuration.inspect(key);
    return [inspected?.globalValue, inspected?.workspaceValue];
  };
  const groups = valuesOf('groups').map(groupsOff);
  return {
    isGroupOff: (group) => groups.some((isOff) => isOff(group)),
    tools: new Set(valuesOf('disabled').flatMap((value) => restricting(value) ?? [])),
  };
}

/** The setting by which a tool is switched off; undefined where it is on. */
export function offBy(
  { tools, isGroupOff }: SwitchedOff,
  { name, group }: { name: string; group: string },
): string | undefined {
  if (tools.has(name)) return 'workspaceMcp.tools.disabled';
  return isGroupOff(group) ? `workspaceMcp.tools.groups ("${group}")` : undefined;
}

/** What a window's record says of the tools that the shim answers without a window: the setting that switches one off. */
export function windowToolsOff(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration'>,
): Record<string, string> {
  const off = readSwitchedOff(workspace);
  const settings = [LIST_WINDOWS, SELECT_WINDOW].map((tool) => [tool.name, offBy(off, tool)]);
  return Object.fromEntries(settings.filter(([, setting]) => setting !== undefined));
}

/** All of them where the value names none. */
function groupsOff(value: unknown): SwitchedOff['isGroupOff'] {
  if (value === undefined || value === null) return () => false;
  if (typeof value !== 'object' || Array.isArray(value)) return () => true;
  const off = new Set(Object.entries(value).flatMap(([group, isOn]) => (isOn === true ? [] : [group])));
  return (group) => off.has(group);
}
