import { UserError } from '../core/errors.ts';
import { asJudged, hasAlternateName, isWithin } from '../core/paths.ts';
import type { GitDirectories } from '../disk/gitDirectories.ts';
import {
  type AccessRules,
  type Closed,
  type Guarded,
  type Off,
  operationOff,
  refusal,
} from './accessRules.ts';
import type { Operation } from './accessSettings.ts';
import { VERSION_CONTROL } from './pathTables.ts';
import { closedBy, guardedBy } from './protectedPaths.ts';

export interface PolicyInputs {
  readonly rules: AccessRules;
  /** Directories in which VS Code keeps settings, state and extensions. */
  editorData: readonly string[];
  git: Pick<GitDirectories, 'holds' | 'key'>;
  /** The name of a hosted server whose definition names a file. */
  serverOf(path: string): string | undefined;
  platform: NodeJS.Platform;
}

/** The roots of an agent's client: real paths; undefined if the client declared none. */
type DeclaredRoots = { readonly paths: readonly string[] | undefined };

/**
 * Decides which paths, sizes and operations an agent may use, for every resource, tool, prompt and subscription. A path is
 * checked as named and with links resolved; both must pass.
 */
export interface Policy {
  /** @throws UserError if the operation is switched off, or the workspace is not trusted and the operation is not `read` */
  requireOperation(operation: Operation): void;
  /** What blocks an operation in the whole window; undefined if nothing does. */
  offBy(operation: Operation): Off | undefined;
  /** Checks a path before any disk access, so that nothing outside is revealed. @throws UserError */
  requireNamed(path: string): void;
  /** Checks the target of a path, all links resolved. @throws UserError */
  requireReal(path: string, realPath: string): void;
  /** Why a path is closed by its name alone; undefined if it is open. */
  closedAsNamed(path: string): Closed | undefined;
  /** Why a real path (all links resolved) is closed; undefined if it is open. */
  closedAsReal(realPath: string): Closed | undefined;
  /** Why a file or folder is guarded by one of its names; undefined if it is not. What a closed link leads to is guarded. */
  guardedAs(name: string, isFolder?: boolean): Guarded | undefined;
  /** Checks access to texts that have no path yet. @throws UserError if the client's roots exclude them */
  requireUnnamed(): void;
  /** Whether texts that have no path yet may be listed. */
  mayListUnnamed(): boolean;
  /** Whether a path that is not a link may be listed and mentioned. */
  mayList(path: string): boolean;
  /** Whether a rule closes a path by its name, wherever it is: VS Code reports on files outside of all folders too. */
  isDenied(path: string): boolean;
  /** Whether a workspace folder may be mentioned: it is in a client root, contains one, or there are no roots. */
  mayEnter(folder: string): boolean;
  /** Whether settings or client roots close files of the workspace: messages about other files may quote those. */
  closesFiles(): boolean;
  /** A key of the rules for reading a file. It stays the same if folders without settings of their own are added or removed. */
  rulesKey(): string;
  /** One object for as long as every path gets the same verdict, and is in the same folder. */
  readonly verdicts: object;
  /** Bytes of one file that agents may read: the smallest limit of all its names. */
  maxFileSize(...paths: string[]): number;
}

export function agentPolicy(inputs: PolicyInputs, client: DeclaredRoots): Policy {
  const { platform } = inputs;
  const isIn = (path: string, folder: string): boolean => isWithin(path, folder, platform);
  /** What `verdicts` stood for last. */
  let last: { rules?: AccessRules; gitKey?: string; roots?: readonly string[] | undefined } = {};

  function offBy(operation: Operation): Off | undefined {
    const { isTrusted, operations } = inputs.rules;
    if (operation !== 'read' && !isTrusted) return 'trust';
    return operations.has(operation) ? undefined : 'allowedOperations';
  }

  function requireOperation(operation: Operation): void {
    const off = offBy(operation);
    if (off) throw operationOff(operation, off);
  }

  const mayRead = (): boolean => inputs.rules.operations.has('read');

  const isOpen = (path: string, side: 'path' | 'realPath'): boolean =>
    inputs.rules.folders.some((folder) => isIn(path, folder[side])) ||
    inputs.rules.settings.allowedPaths.some((allowed) => isIn(path, allowed));

  /** Write access there would decide what agents may do. */
  const isEditorData = (path: string): boolean =>
    inputs.editorData.some((directory) => isIn(path, directory));

  function closedByRule(path: string): Closed | undefined {
    const judged = asJudged(path, platform);
    const reason = closedBy(judged);
    if (reason) return { by: 'secret', reason };
    if (isEditorData(judged)) return { by: 'editor data' };
    const found = inputs.rules.find('deniedPaths', judged);
    return found && { by: 'deniedPaths', ...found };
  }

  /** Not checked by name alone: only resolving the path shows that a directory no longer belongs to Git. */
  const closedByGit = (realPath: string): Closed | undefined =>
    inputs.git.holds(realPath) ? { by: 'secret', reason: VERSION_CONTROL } : undefined;

  function closedByRoots(realPath: string): Closed | undefined {
    const roots = client.paths;
    return !roots || roots.some((root) => isIn(realPath, root)) ? undefined : { by: 'roots', roots };
  }

  /** A path in a folder that was opened through a link, with the link resolved. */
  function asReal(path: string): string {
    const linked = inputs.rules.folders.find(
      (folder) => folder.path !== folder.realPath && isIn(path, folder.path),
    );
    return linked ? linked.realPath + path.slice(linked.path.length) : path;
  }

  function closedAsNamed(path: string): Closed | undefined {
    if (!isOpen(path, 'path') && !isOpen(path, 'realPath')) return { by: 'outside' };
    if (hasAlternateName(path, platform)) return { by: 'alternate name' };
    return closedByRule(path);
  }

  function closedAsReal(realPath: string): Closed | undefined {
    if (!isOpen(realPath, 'realPath')) return { by: 'outside' };
    return closedByRule(realPath) ?? closedByGit(realPath) ?? closedByRoots(realPath);
  }

  function mayEnter(folder: string): boolean {
    const { paths: roots } = client;
    if (!roots) return true;
    const real = asReal(folder);
    return roots.some((root) => isIn(root, real) || isIn(real, root));
  }

  function requireOpen(path: string, closed: Closed | undefined): void {
    if (!closed) return;
    const told = inputs.rules.folders.filter((folder) => mayEnter(folder.path));
    throw refusal(path, closed, told);
  }

  const mayListUnnamed = (): boolean => mayRead() && !client.paths;

  return {
    requireOperation,
    offBy,
    requireNamed: (path) => requireOpen(path, closedAsNamed(path)),
    requireReal(path, realPath) {
      const closed = closedAsReal(realPath);
      requireOpen(closed?.by === 'outside' ? `What the link ${path} leads to` : path, closed);
    },
    closedAsNamed,
    closedAsReal,
    guardedAs(name, isFolder = false) {
      const judged = asJudged(name, platform);
      const place = withoutWorktrees(isFolder ? `${judged}/` : judged);
      const reason = guardedBy(place) ?? closedBy(place);
      if (reason) return { by: 'table', reason };
      if (isEditorData(judged)) return { by: 'editor data' };
      const server = inputs.serverOf(judged);
      if (server !== undefined) return { by: 'server', server };
      const found = inputs.rules.find('guardedPaths', judged);
      return found && { by: 'guardedPaths', ...found };
    },
    requireUnnamed() {
      requireOperation('read');
      if (mayListUnnamed()) return;
      throw new UserError('A text without a file is outside the roots that your client declared.');
    },
    mayListUnnamed,
    mayList(path) {
      if (!mayRead() || !isOpen(path, 'path') || closedByRule(path)) return false;
      const real = asReal(path);
      if (real !== path && closedByRule(real)) return false;
      return !closedByGit(real) && !closedByRoots(real);
    },
    isDenied: (path) => (closedByRule(path) ?? closedByRule(asReal(path))) !== undefined,
    mayEnter,
    closesFiles() {
      const { denies, folders } = inputs.rules;
      if (denies || !client.paths) return denies;
      return folders.some(({ realPath }) => closedByRoots(realPath) !== undefined);
    },
    rulesKey() {
      const { settings, folders } = inputs.rules;
      const own = JSON.stringify(settings);
      const others = folders.map(({ path, settings }) => [path, JSON.stringify(settings)]);
      return JSON.stringify([own, others.filter(([, settings]) => settings !== own), client.paths ?? '-']);
    },
    get verdicts() {
      const { rules, git } = inputs;
      const { paths: roots } = client;
      const { key: gitKey } = git;
      if (last.rules !== rules || last.gitKey !== gitKey || last.roots !== roots)
        last = { rules, gitKey, roots };
      return last;
    },
    maxFileSize: (...paths) => inputs.rules.maxFileSize(paths),
  };
}

/** Claude Code puts checkouts of the repository into its own folder: what is in one is judged as in the repository. */
const withoutWorktrees = (path: string): string =>
  path.replace(/(?<=\/)\.claude\/worktrees\/[^/]+\/(?=.)/i, '');
