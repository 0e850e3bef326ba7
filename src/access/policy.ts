import { Minimatch } from 'minimatch';
import { comparable, ignoresCase, isWithin } from '../core/paths.ts';
import { UserError } from '../protocol/errors.ts';
import { isSecret } from './secrets.ts';
import type { AccessSettings } from './settings.ts';

/** Kinds of operation: reading, changing text, removing, starting something, running a command of VS Code. */
export type Operation = 'read' | 'edit' | 'delete' | 'run' | 'command';

/** A workspace folder as the policy sees it. */
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
  platform: NodeJS.Platform;
}

/**
 * Which paths, sizes and operations an agent may use: one judge for every resource, tool, prompt and subscription. Paths
 * come in as they were named and with links resolved, and both have to pass.
 */
export class Policy {
  readonly #world: PolicyWorld;
  readonly #globs = new Map<string, Minimatch>();

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
    const narrowest = [this.#world.settings(), ...this.#world.folders().map(({ settings }) => settings)];
    if (narrowest.every(({ allowedOperations }) => allowedOperations.includes(operation))) return;
    throw new UserError(
      `"${operation}" is switched off here by the setting workspaceMcp.access.allowedOperations. Only the person can change it.`,
    );
  }

  /** Judges a path before the disk is asked, so that nothing is told of what lies outside. @throws UserError */
  requireNamed(path: string): void {
    if (!this.#isOpen(path, 'path') && !this.#isOpen(path, 'realPath')) throw this.#outside(path);
    if (this.#isDenied(path)) throw denied(path);
  }

  /** Judges what the path led to, all links resolved. @throws UserError */
  requireReal(path: string, realPath: string): void {
    if (!this.#isOpen(realPath, 'realPath')) throw this.#outside(path);
    if (this.#isDenied(realPath)) throw denied(path);
    const roots = this.#world.clientRoots();
    if (roots && !this.#isInRoots(realPath, roots)) {
      throw new UserError(
        `${path} lies outside the roots that your client declared (${roots.join(', ')}). Work inside them, or have the client declare more.`,
      );
    }
  }

  /** Whether a path that lies in a folder, and is no link, may be shown in a list. */
  mayList(path: string): boolean {
    if (this.#isDenied(path)) return false;
    const roots = this.#world.clientRoots();
    return !roots || this.#isInRoots(this.#asReal(path), roots);
  }

  /** Names all that `mayList` depends on: while it is the same, so is every answer. */
  verdictKey(): string {
    const settings = [this.#world.settings(), ...this.#world.folders()].map((part) => JSON.stringify(part));
    return [...settings, ...(this.#world.clientRoots() ?? ['-'])].join('\n');
  }

  /** Bytes that may be read of one file. */
  maxFileSize(path: string): number {
    return (this.#folderOf(path)?.settings ?? this.#world.settings()).maxFileSize;
  }

  #isOpen(path: string, side: 'path' | 'realPath'): boolean {
    const { platform } = this.#world;
    return (
      this.#world.folders().some((folder) => isWithin(path, folder[side], platform)) ||
      this.#world.settings().allowedPaths.some((allowed) => isWithin(path, allowed, platform))
    );
  }

  #folderOf(path: string): PolicyFolder | undefined {
    const { platform } = this.#world;
    const holding = (folder: PolicyFolder) =>
      isWithin(path, folder.path, platform) || isWithin(path, folder.realPath, platform);
    return this.#world
      .folders()
      .filter(holding)
      .sort((a, b) => b.path.length - a.path.length)[0];
  }

  #isDenied(path: string): boolean {
    const slashed = path.replaceAll('\\', '/');
    if (isSecret(slashed)) return true;
    const folder = this.#folderOf(path);
    const { deniedPaths } = folder?.settings ?? this.#world.settings();
    if (deniedPaths.length === 0) return false;
    const relative = folder && this.#relative(slashed, folder);
    return deniedPaths.some(
      (glob) => this.#matches(glob, slashed) || (relative && this.#matches(glob, relative)),
    );
  }

  #isInRoots(realPath: string, roots: readonly string[]): boolean {
    return roots.some((root) => isWithin(realPath, root, this.#world.platform));
  }

  /** A path in a folder that was opened through a link, by the link's target. */
  #asReal(path: string): string {
    const folder = this.#folderOf(path);
    if (!folder || !isWithin(path, folder.path, this.#world.platform)) return path;
    return folder.realPath + path.slice(folder.path.length);
  }

  #relative(slashed: string, folder: PolicyFolder): string | undefined {
    const { platform } = this.#world;
    const base = [folder.path, folder.realPath].find((side) => isWithin(slashed, side, platform));
    return base && slashed.slice(comparable(base, platform).length + 1);
  }

  /** A denied folder closes all that is in it. */
  #matches(glob: string, path: string): boolean {
    for (const pattern of [glob, `${glob}/**`]) {
      let compiled = this.#globs.get(pattern);
      if (!compiled) {
        compiled = new Minimatch(pattern, { dot: true, nocase: ignoresCase(this.#world.platform) });
        this.#globs.set(pattern, compiled);
      }
      if (compiled.match(path)) return true;
    }
    return false;
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
    `${path} is closed to agents: secrets and version-control internals always are, others by the setting workspaceMcp.access.deniedPaths.`,
  );
