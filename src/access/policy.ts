import { Minimatch } from 'minimatch';
import { hasAlternateName, ignoresCase, inside, isWithin } from '../core/paths.ts';
import { UserError } from '../protocol/errors.ts';
import { isSecret } from './secrets.ts';
import type { AccessSettings } from './settings.ts';

/** Kinds of operation: reading, changing text, removing, starting something, running a command of VS Code. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command';

/** A workspace folder as the policy sees it; one of a virtual file system has `scheme://authority/path` for its path. */
export interface PolicyFolder {
  /** As it was opened, and with all links resolved. */
  path: string;
  realPath: string;
  settings: AccessSettings;
}

export interface PolicyWorld {
  folders(): readonly PolicyFolder[];
  /** For what lies in no folder. */
  settings(): AccessSettings;
  isTrusted(): boolean;
  /** Real paths that the agent's client declared as its roots; undefined where it declared none. */
  clientRoots(): readonly string[] | undefined;
  /** Directories in which VS Code keeps settings, state and extensions. */
  editorData(): readonly string[];
  platform: NodeJS.Platform;
}

/**
 * Which paths, sizes and operations an agent may use: one judge for every resource, tool, prompt and subscription. Paths
 * come in as they were named and with links resolved, and both have to pass.
 */
export class Policy {
  readonly #world: PolicyWorld;
  readonly #globs = new Map<string, readonly Minimatch[]>();

  constructor(world: PolicyWorld) {
    this.#world = world;
  }

  /** @throws UserError where the operation is switched off, or the workspace is not trusted and it is not reading */
  requireOperation(operation: Operation): void {
    if (operation !== 'read' && !this.#world.isTrusted()) {
      throw new UserError(
        `This workspace is not trusted, so agents may only read. The person can change that with the command "Workspaces: Manage Workspace Trust".`,
      );
    }
    if (this.#allows(operation)) return;
    throw new UserError(
      `"${operation}" is switched off here by the setting workspaceMcp.access.allowedOperations. Only the person can change it.`,
    );
  }

  /** Judges a path before the disk is asked, so that nothing is told of what lies outside. @throws UserError */
  requireNamed(path: string): void {
    if (!this.#isOpen(path, 'path') && !this.#isOpen(path, 'realPath')) throw this.#outside(path);
    if (hasAlternateName(path, this.#world.platform) || this.#isDenied(path)) throw denied(path);
  }

  /** Judges what the path led to, all links resolved. @throws UserError */
  requireReal(path: string, realPath: string): void {
    if (!this.#isOpen(realPath, 'realPath')) throw this.#outside(path);
    if (this.#isDenied(realPath)) throw denied(path);
    const roots = this.#world.clientRoots();
    if (roots && !this.#isInRoots(realPath, roots)) {
      throw new UserError(
        `${path} lies outside the roots that your client declared (${roots.join(', ') || 'none that is on this disk'}). Work inside them, or have the client declare more.`,
      );
    }
  }

  /** Judges texts that have no path yet. @throws UserError where the client's roots leave them out */
  requireUnnamed(): void {
    this.requireOperation('read');
    if (this.mayListUnnamed()) return;
    throw new UserError('A text without a file lies outside the roots that your client declared.');
  }

  /** Whether texts that have no path yet may be shown in a list. */
  mayListUnnamed(): boolean {
    return this.#allows('read') && !this.#world.clientRoots();
  }

  /** Whether a path that is no link may be shown in a list, and talked of. */
  mayList(path: string): boolean {
    if (!this.#allows('read') || !this.#isOpen(path, 'path') || this.#isDenied(path)) return false;
    const real = this.#asReal(path);
    if (real !== path && this.#isDenied(real)) return false;
    const roots = this.#world.clientRoots();
    return !roots || this.#isInRoots(real, roots);
  }

  /** Names all that `mayList` depends on: while it is the same, so is every answer. */
  verdictKey(): string {
    const settings = [this.#world.settings(), ...this.#world.folders()].map((part) => JSON.stringify(part));
    return [...settings, ...(this.#world.clientRoots() ?? ['-'])].join('\n');
  }

  /** Bytes that may be read of one file. */
  maxFileSize(path: string): number {
    return Math.min(...this.#settingsOf(path).map(({ maxFileSize }) => maxFileSize));
  }

  #allows(operation: Operation): boolean {
    const allows = ({ allowedOperations }: AccessSettings) => allowedOperations.includes(operation);
    return allows(this.#world.settings()) && this.#world.folders().every(({ settings }) => allows(settings));
  }

  #isOpen(path: string, side: 'path' | 'realPath'): boolean {
    const { platform } = this.#world;
    return (
      this.#world.folders().some((folder) => isWithin(path, folder[side], platform)) ||
      this.#world.settings().allowedPaths.some((allowed) => isWithin(path, allowed, platform))
    );
  }

  /** All folders that a path lies in: where they are nested, each narrows. */
  #foldersOf(path: string): readonly PolicyFolder[] {
    const { platform } = this.#world;
    return this.#world
      .folders()
      .filter((folder) => isWithin(path, folder.path, platform) || isWithin(path, folder.realPath, platform));
  }

  #settingsOf(path: string): readonly AccessSettings[] {
    const folders = this.#foldersOf(path);
    return folders.length > 0 ? folders.map(({ settings }) => settings) : [this.#world.settings()];
  }

  #isDenied(path: string): boolean {
    const slashed = this.#world.platform === 'win32' ? path.replaceAll('\\', '/') : path;
    if (isSecret(slashed) || this.#isEditorData(path)) return true;
    if (this.#settingsOf(path).every(({ deniedPaths }) => deniedPaths.length === 0)) return false;
    const folders = this.#foldersOf(path);
    if (folders.length === 0) return this.#matchesAny(this.#world.settings().deniedPaths, [slashed]);
    return folders.some((folder) =>
      this.#matchesAny(folder.settings.deniedPaths, [slashed, ...this.#waysInto(folder, path)]),
    );
  }

  /** Who writes there decides what agents may do. */
  #isEditorData(path: string): boolean {
    return this.#world.editorData().some((directory) => isWithin(path, directory, this.#world.platform));
  }

  #isInRoots(realPath: string, roots: readonly string[]): boolean {
    return roots.some((root) => isWithin(realPath, root, this.#world.platform));
  }

  /** A path in a folder that was opened through a link, by the link's target. */
  #asReal(path: string): string {
    const { platform } = this.#world;
    const linked = this.#world
      .folders()
      .find((folder) => folder.path !== folder.realPath && isWithin(path, folder.path, platform));
    return linked ? linked.realPath + path.slice(linked.path.length) : path;
  }

  #waysInto(folder: PolicyFolder, path: string): string[] {
    const { platform } = this.#world;
    const ways = [folder.path, folder.realPath].map((side) => inside(path, side, platform));
    return ways.filter((way) => way !== undefined);
  }

  #matchesAny(globs: readonly string[], paths: readonly string[]): boolean {
    return globs.some((glob) => this.#compiled(glob).some((one) => paths.some((path) => one.match(path))));
  }

  /** A denied folder closes all that is in it. */
  #compiled(glob: string): readonly Minimatch[] {
    const known = this.#globs.get(glob);
    if (known) return known;
    const { platform } = this.#world;
    const options = {
      dot: true,
      nocase: ignoresCase(platform),
      nocomment: true,
      nonegate: true,
      windowsPathsNoEscape: platform === 'win32',
    };
    const composed = platform === 'darwin' ? glob.normalize('NFC') : glob;
    const compiled = [composed, `${composed.replace(/\/+$/, '')}/**`].map(
      (one) => new Minimatch(one, options),
    );
    this.#globs.set(glob, compiled);
    return compiled;
  }

  #outside(path: string): UserError {
    const folders = this.#world.folders().map((folder) => folder.path);
    const open =
      folders.length > 0
        ? `the workspace folders (${folders.join(', ')})`
        : 'the workspace (no folder is open)';
    return new UserError(
      `${path} lies outside ${open}. The person can open it to agents with the setting workspaceMcp.access.allowedPaths.`,
    );
  }
}

const denied = (path: string): UserError =>
  new UserError(
    `${path} is closed to agents: secrets, version-control internals and VS Code's own data always are, others by the setting workspaceMcp.access.deniedPaths.`,
  );
