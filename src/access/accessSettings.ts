import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';
import { ignoresCase, inside, isWithin } from '../core/paths.ts';
import { restricting } from '../core/restricting.ts';

/** Kinds of operation: read, change text, delete, run a program, execute a VS Code command, call a tool of a hosted MCP server. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command' | 'server';

/** What needs approval: the operations, with tasks and tests and debugging apart from commands, though all of them are `run`. */
export type ApprovalKind = Exclude<Operation, 'read'> | 'task' | 'test' | 'debug';

/**
 * What the user can allow or deny for longer than one call: a kind, changes of one file's text or of all in a folder (its URI ends
 * with a slash), one command line, a hosted server or one of its tools, or one command of VS Code.
 */
export type Grant =
  | ApprovalKind
  | `edit:${string}`
  | `run:${string}`
  | `server:${string}`
  | `command:${string}`;

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
  // If a single folder is open, its settings are the workspace settings too.
  const isNamedTwice = workspaceFile === undefined && levels.includes('workspace');
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
  const value = workspace.getConfiguration('workspaceMcp').inspect<Record<string, unknown>>('approvals')
    ?.globalValue?.[kind];
  return value === 'allow' || value === 'deny' ? value : 'ask';
}

/** A workspace folder for the policy. The path of a folder in a virtual file system is `scheme://authority/path`. */
export interface PolicyFolder {
  /** As the user opened it. `realPath` has all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
  /** Its file system ignores case, although the platform's usual ones do not. */
  ignoresCase?: boolean;
}

/**
 * The folders and settings of a window, and what they say of a path; in nested folders, each folder's settings narrow. Never
 * changed: others replace them when VS Code tells that folders, settings or trust have changed.
 */
export class AccessRules {
  readonly folders: readonly PolicyFolder[];
  /** For paths outside all folders. */
  readonly settings: AccessSettings;
  readonly isTrusted: boolean;
  /** Any folder takes an operation away from the whole window. */
  readonly operations: ReadonlySet<Operation>;
  readonly denies: boolean;
  readonly #platform: NodeJS.Platform;
  /** Each glob is compiled once. */
  readonly #compiled = new Map<string, readonly Minimatch[]>();

  constructor(
    { folders, settings, isTrusted }: Pick<AccessRules, 'folders' | 'settings' | 'isTrusted'>,
    platform: NodeJS.Platform,
  ) {
    this.folders = folders;
    this.settings = settings;
    this.isTrusted = isTrusted;
    this.#platform = platform;
    const all = [settings, ...folders.map((folder) => folder.settings)];
    const isAllowed = (operation: Operation) =>
      all.every(({ allowedOperations }) => allowedOperations.includes(operation));
    this.operations = new Set(settings.allowedOperations.filter(isAllowed));
    this.denies = all.some(({ deniedPaths }) => deniedPaths.length > 0);
  }

  /** The first glob of a setting that matches a path, and the folder with that setting (none if the path is in no folder). */
  find(
    setting: 'deniedPaths' | 'guardedPaths',
    path: string,
    anyCase = ignoresCase(this.#platform),
  ): { glob: string; folder?: PolicyFolder } | undefined {
    const folders = this.#foldersOf(path);
    for (const folder of folders.length > 0 ? folders : [undefined]) {
      const globs = (folder?.settings ?? this.settings)[setting];
      if (globs.length === 0) continue;
      const names = [path, ...(folder ? this.#waysInto(folder, path) : [])];
      const nocase = anyCase || folder?.ignoresCase === true;
      const glob = globs.find((one) =>
        this.#formsOf(one, nocase).some((form) => names.some((name) => form.match(name))),
      );
      if (glob !== undefined) return { glob, ...(folder && { folder }) };
    }
    return undefined;
  }

  /** Bytes of one file that agents may read: the smallest limit of all its names. */
  maxFileSize(paths: readonly string[]): number {
    const settings = paths.flatMap((path) => {
      const folders = this.#foldersOf(path);
      return folders.length > 0 ? folders.map((folder) => folder.settings) : [this.settings];
    });
    return Math.min(...settings.map(({ maxFileSize }) => maxFileSize));
  }

  #foldersOf(path: string): PolicyFolder[] {
    const isIn = (side: string) => isWithin(path, side, this.#platform);
    return this.folders.filter((folder) => isIn(folder.path) || isIn(folder.realPath));
  }

  #waysInto(folder: PolicyFolder, path: string): string[] {
    const ways = [folder.path, folder.realPath].map((side) => inside(path, side, this.#platform));
    return ways.filter((way) => way !== undefined);
  }

  #formsOf(glob: string, nocase: boolean): readonly Minimatch[] {
    const key = `${nocase}${glob}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const options = {
      dot: true,
      nocase,
      nocomment: true,
      nonegate: true,
      windowsPathsNoEscape: this.#platform === 'win32',
    };
    const composed = this.#platform === 'darwin' ? glob.normalize('NFC') : glob;
    const forms = formsOf(composed).map((one) => new Minimatch(one, options));
    this.#compiled.set(key, forms);
    return forms;
  }
}

/**
 * A glob of a folder includes its contents, and `folder/**` includes the folder itself. One without a slash inside matches at any
 * depth, as in .gitignore.
 */
function formsOf(glob: string): string[] {
  const [, folder] = /^(.*[^/*?[\]{}()!+@]+)\/\*\*\/*$/.exec(glob) ?? [];
  const name = glob.replace(/\/+$/, '');
  const deep = name.includes('/') ? [] : [`**/${name}`, `**/${name}/**`];
  return [glob, `${name}/**`, ...deep, ...(folder === undefined ? [] : [folder])];
}
