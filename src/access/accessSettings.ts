import type * as vscode from 'vscode';
import { restricting } from '../core/restricting.ts';
import type { ApprovalKind, Operation } from './operation.ts';

/** What agents may touch, as the settings say. */
export interface AccessSettings {
  /** Absolute paths outside the workspace that are open as well. */
  allowedPaths: readonly string[];
  /** Globs that are closed. */
  deniedPaths: readonly string[];
  /** Globs of which an edit is asked for each time. */
  guardedPaths: readonly string[];
  /** Bytes. */
  maxFileSize: number;
  allowedOperations: readonly Operation[];
  /** Patterns of what is redacted in all that is read. */
  redact: readonly string[];
}

/** In a remote window VS Code also tells the value of the local user settings, though its types do not say so. */
type Inspected<T> = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>> & {
  globalValue?: T;
  globalLocalValue?: T;
  globalRemoteValue?: T;
};

/**
 * The settings that hold for a folder. The person's own value counts (user, remote, default); a workspace's or a
 * folder's may narrow it, never widen it: a repository's settings.json is written by whoever wrote the repository. So may be the
 * settings of a remote machine, by its devcontainer.json: they do not take away what the local ones close.
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
    const { workspaceValue, workspaceFolderValue, globalLocalValue, globalRemoteValue } = inspected;
    // Paths are of one machine: the remote one names its own.
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

/** Where a setting has a value: in the person's own settings (of this machine or of a remote one), or a repository's. */
export type Level = 'user' | 'workspace' | 'folder';

const VALUES = { user: 'globalValue', workspace: 'workspaceValue', folder: 'workspaceFolderValue' } as const;

/** The levels on which a setting has a value that is meant, in one of these folders; none where the default holds. */
export function levelsOf(
  { getConfiguration, workspaceFile }: Pick<typeof vscode.workspace, 'getConfiguration' | 'workspaceFile'>,
  folders: readonly (vscode.Uri | undefined)[],
  key: keyof AccessSettings,
  isMeant: (value: unknown) => boolean,
): Level[] {
  const all = folders.map((folder) => getConfiguration('workspaceMcp.access', folder ?? null).inspect(key));
  const hasMeant = (level: Level) => {
    const values = all.map((inspected) => inspected?.[VALUES[level]]);
    return values.some((value) => value !== undefined && isMeant(value));
  };
  const levels = (['user', 'workspace', 'folder'] as const).filter(hasMeant);
  // Where a folder alone is open, its settings are those of the workspace too.
  const isNamedTwice = workspaceFile === undefined && levels.includes('workspace');
  return isNamedTwice ? levels.filter((level) => level !== 'folder') : levels;
}

const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
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
 * The person's default for what needs consent. A setting of the application: VS Code takes no value for it from a workspace or a
 * remote machine, whose settings a devcontainer.json writes. What is none of the three asks.
 */
export function approvalSetting({ workspace }: typeof vscode, kind: ApprovalKind): 'allow' | 'ask' | 'deny' {
  const value = workspace.getConfiguration('workspaceMcp').inspect<Record<string, unknown>>('approvals')
    ?.globalValue?.[kind];
  return value === 'allow' || value === 'deny' ? value : 'ask';
}
