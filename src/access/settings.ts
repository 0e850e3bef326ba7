import type * as vscode from 'vscode';
import type { ApprovalKind } from './approvals.ts';
import type { Operation } from './policy.ts';

/** What agents may touch, as the settings say. */
export interface AccessSettings {
  /** Absolute paths outside the workspace that are open as well. */
  allowedPaths: readonly string[];
  /** Globs that are closed. */
  deniedPaths: readonly string[];
  /** Bytes. */
  maxFileSize: number;
  allowedOperations: readonly Operation[];
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
    isValid: (value: unknown) => value is T,
  ): T => {
    const inspected = configuration.inspect<T>(key) as Inspected<T>;
    const own = isValid(inspected.globalValue) ? inspected.globalValue : (inspected.defaultValue as T);
    const narrowing = [inspected.workspaceValue, inspected.workspaceFolderValue].filter(isValid);
    return narrowing.reduce((narrowed, by) => narrow(narrowed, by), own);
  };
  return {
    allowedPaths: read('allowedPaths', intersection, isStrings),
    deniedPaths: read('deniedPaths', union, isStrings),
    maxFileSize: read('maxFileSize', (own, by) => Math.min(own, by), isSize),
    allowedOperations: read('allowedOperations', intersection, isStrings) as Operation[],
  };
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isSize = (value: unknown): value is number => typeof value === 'number' && value >= 0;
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
  groups: ReadonlySet<string>;
  tools: ReadonlySet<string>;
}

/** Tools that the person, or the workspace, has switched off: neither switches on what the other has not. */
export function readSwitchedOff({
  getConfiguration,
}: Pick<typeof vscode.workspace, 'getConfiguration'>): SwitchedOff {
  const configuration = getConfiguration('workspaceMcp.tools', null);
  const valuesOf = (key: string): unknown[] => {
    const inspected = configuration.inspect(key);
    return [inspected?.globalValue, inspected?.workspaceValue];
  };
  const offIn = (value: unknown) => Object.entries(value ?? {}).filter(([, isOn]) => isOn === false);
  return {
    groups: new Set(valuesOf('groups').flatMap((value) => offIn(value).map(([group]) => group))),
    tools: new Set(valuesOf('disabled').flatMap((value) => (Array.isArray(value) ? value : []))),
  };
}
