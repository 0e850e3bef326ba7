import type * as vscode from 'vscode';
import { settingLevels } from '../core/settings.ts';
import { restricting } from '../core/toolSettings.ts';

/** Kinds of operation: read, change text, delete, run a program, execute a VS Code command, call a tool of a hosted MCP server. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command' | 'server';

/** What needs approval: the operations, with tasks and tests and debugging apart from commands, though all of them are `run`. */
export type ApprovalKind = Exclude<Operation, 'read'> | 'task' | 'test' | 'debug';

/** What the user denies for a session: a kind, a hosted server, or a command of VS Code whatever its arguments. */
export type Denial = ApprovalKind | `server:${string}` | `command:${string}`;

/** What the settings let agents use. */
export interface AccessSettings {
  /** Absolute paths outside the workspace that agents may also use. */
  allowedPaths: readonly string[];
  deniedPaths: readonly string[];
  guardedPaths: readonly string[];
  /** Bytes. */
  maxFileSize: number;
  allowedOperations: readonly Operation[];
  /** Regular expressions: matches are redacted in everything that agents read. */
  redact: readonly string[];
}

/** In a remote window VS Code also returns the value of the local user settings; its types do not declare that. */
type Inspected<T> = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>> & {
  globalValue?: T;
  globalLocalValue?: T;
  globalRemoteValue?: T;
};

/**
 * The settings for a folder. The user's own value counts (user, remote, default). A workspace or folder value can only narrow it:
 * the author of the repository writes that settings.json. A devcontainer.json can write the settings of a remote machine, so
 * these cannot open what the local ones close.
 */
export function readAccessSettings(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration'>,
  folder?: vscode.Uri,
): AccessSettings {
  const read = <T>(
    key: keyof AccessSettings,
    narrow: (own: T, by: T) => T,
    valid: (value: unknown) => T | undefined,
  ): T => {
    const inspected = settingLevels<T>(workspace, `access.${key}`, folder ?? null) as Inspected<T>;
    const own = valid(inspected.globalValue) ?? (inspected.defaultValue as T);
    const { workspaceValue, workspaceFolderValue, globalLocalValue, globalRemoteValue } = inspected;
    // Paths belong to one machine: the remote machine has its own.
    const isLocalLeftOut = globalRemoteValue === undefined || key === 'allowedPaths';
    const local = isLocalLeftOut ? [] : [globalLocalValue];
    const narrowing = [...local, workspaceValue, workspaceFolderValue].map(valid);
    return narrowing.filter((by) => by !== undefined).reduce((narrowed, by) => narrow(narrowed, by), own);
  };
  return {
    allowedPaths: read('allowedPaths', intersection, strings),
    deniedPaths: read('deniedPaths', union, restricting),
    guardedPaths: read('guardedPaths', union, restricting),
    maxFileSize: read('maxFileSize', (own, by) => Math.min(own, by), size),
    allowedOperations: read('allowedOperations', intersection, restricting) as Operation[],
    redact: read('redact', union, patterns),
  };
}

/** Where a setting has a value: in the user's own settings (of this machine or a remote one), or in a repository's. */
export type Level = 'user' | 'workspace' | 'folder';

const VALUES = { user: 'globalValue', workspace: 'workspaceValue', folder: 'workspaceFolderValue' } as const;

/** The levels on which a setting has a value that `isMeant` accepts, in one of these folders; empty if the default applies. */
export function levelsOf(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'workspaceFile'>,
  folders: readonly (vscode.Uri | undefined)[],
  key: keyof AccessSettings,
  isMeant: (value: unknown) => boolean,
): Level[] {
  const all = folders.map((folder) => settingLevels(workspace, `access.${key}`, folder ?? null));
  const hasMeant = (level: Level) => {
    const values = all.map((inspected) => inspected[VALUES[level]]);
    return values.some((value) => value !== undefined && isMeant(value));
  };
  const levels = (['user', 'workspace', 'folder'] as const).filter(hasMeant);
  // If a single folder is open, its settings are the workspace settings too.
  const isNamedTwice = workspace.workspaceFile === undefined && levels.includes('workspace');
  return isNamedTwice ? levels.filter((level) => level !== 'folder') : levels;
}

const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
/** An item that is not a string is used as its JSON text: if it were skipped, agents would see what it was meant to hide. */
const patterns = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? item : `${JSON.stringify(item)}`))
    : restricting(value);
/** An invalid size allows 0 bytes. */
const size = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  const bytes = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof bytes === 'number' && bytes >= 0 ? bytes : 0;
};
const intersection = (own: string[], by: string[]): string[] => own.filter((item) => by.includes(item));
const union = (own: string[], by: string[]): string[] => [...own, ...by];

/**
 * The user's default for a kind of operation. The setting has application scope: VS Code ignores values from a workspace or a
 * remote machine, whose settings a devcontainer.json can write. An invalid value means `ask`.
 */
export function approvalSetting({ workspace }: typeof vscode, kind: ApprovalKind): 'allow' | 'ask' | 'deny' {
  const value = settingLevels<Record<string, unknown>>(workspace, 'approvals').globalValue?.[kind];
  return value === 'allow' || value === 'deny' ? value : 'ask';
}
