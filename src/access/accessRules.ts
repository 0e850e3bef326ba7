import { Minimatch } from 'minimatch';
import { UserError } from '../core/errors.ts';
import { folded, inside, isWithin } from '../core/paths.ts';
import type { AccessSettings, Operation } from './accessSettings.ts';
import type { Reason } from './pathTables.ts';

/** A workspace folder for the policy. The path of a folder in a virtual file system is `scheme://authority/path`. */
export interface PolicyFolder {
  /** As the user opened it. `realPath` has all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
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

  /**
   * The first glob of a setting that matches a path, and the folder with that setting (none if the path is in no folder). In any case: on
   * Linux too, disks may ignore it (a USB stick, WSL's `/mnt/c`), and no system call returns the real spelling there.
   */
  find(
    setting: 'deniedPaths' | 'guardedPaths',
    path: string,
  ): { glob: string; folder?: PolicyFolder } | undefined {
    const folders = this.#foldersOf(path);
    for (const folder of folders.length > 0 ? folders : [undefined]) {
      const globs = (folder?.settings ?? this.settings)[setting];
      if (globs.length === 0) continue;
      const sides = folder ? [folder.path, folder.realPath] : [];
      const ways = sides.map((side) => inside(path, side, this.#platform));
      const names = [path, ...ways.filter((way) => way !== undefined)].map(folded);
      const glob = globs.find((one) =>
        this.#formsOf(one).some((form) => names.some((name) => form.match(name))),
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

  #formsOf(glob: string): readonly Minimatch[] {
    const known = this.#compiled.get(glob);
    if (known) return known;
    const options = {
      dot: true,
      nocase: true,
      nocomment: true,
      nonegate: true,
      windowsPathsNoEscape: this.#platform === 'win32',
    };
    const composed = this.#platform === 'darwin' ? glob.normalize('NFC') : glob;
    const forms = formsOf(folded(composed)).map((one) => new Minimatch(one, options));
    this.#compiled.set(glob, forms);
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

/** Why a path is closed. For the user only; agents get the sentence of `refusal`. */
export type Closed =
  | { by: 'outside' }
  | { by: 'alternate name' }
  /** By the table of closed paths. */
  | { by: 'secret'; reason: Reason }
  | { by: 'editor data' }
  /** Without a folder: by the settings for paths outside all folders. */
  | { by: 'deniedPaths'; glob: string; folder?: PolicyFolder }
  | { by: 'roots'; roots: readonly string[] };

/** Why a file is guarded. For the user only. */
export type Guarded =
  /** By the table of guarded files. */
  | { by: 'table'; reason: Reason }
  | { by: 'editor data' }
  /** The definition of this hosted server names it. */
  | { by: 'server'; server: string }
  /** There are too many links to know all names of the file. */
  | { by: 'links' }
  /** Without a folder: by the settings for paths outside all folders. */
  | { by: 'guardedPaths'; glob: string; folder?: PolicyFolder };

/** Why a file is guarded, with the name that caused it if that is not the given one. */
export interface Guard {
  guarded: Guarded;
  name?: string;
}

/** The error for the agent. It does not reveal whether the path exists. */
export function refusal(path: string, closed: Closed, folders: readonly PolicyFolder[]): UserError {
  if (closed.by === 'outside') return outside(path, folders);
  if (closed.by === 'alternate name')
    return new UserError(
      `${path} names a stream or a device of the system, which is closed to agents. Pass the name of a file.`,
    );
  if (closed.by === 'roots')
    return new UserError(
      `${path} is outside the roots that your client declared (${closed.roots.join(', ') || 'none on this disk'}). Work inside them, or let the client declare more.`,
    );
  return new UserError(
    `${path} is closed to agents. Secrets, version control data and VS Code's own data always are; the setting workspaceMcp.access.deniedPaths closes more.`,
  );
}

function outside(path: string, folders: readonly PolicyFolder[]): UserError {
  const open =
    folders.length > 0
      ? `the workspace folders (${folders.map((folder) => folder.path).join(', ')})`
      : 'the workspace (none of its folders is open to you)';
  return new UserError(
    `${path} is outside ${open}. The user can open it to agents with the setting workspaceMcp.access.allowedPaths.`,
  );
}

/** What blocks an operation: missing workspace trust, or the setting. */
export type Off = 'trust' | 'allowedOperations';

export const operationOff = (operation: Operation, off: Off): UserError =>
  new UserError(
    off === 'trust'
      ? `This workspace is not trusted, so agents may only read. The user can change that with the command "Workspaces: Manage Workspace Trust".`
      : `"${operation}" is switched off here by the setting workspaceMcp.access.allowedOperations. Only the user can change it.`,
  );
