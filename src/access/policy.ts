import { UserError } from '../core/errors.ts';
import { asJudged, hasAlternateName, isWithin } from '../core/paths.ts';
import type { GitDirectories } from '../disk/gitDirectories.ts';
import type { AccessRules, Operation } from './accessSettings.ts';
import { VERSION_CONTROL } from './pathTables.ts';
import { closedBy, guardedBy } from './protectedPaths.ts';
import { type Closed, type Guarded, type Off, operationOff, refusal } from './refusals.ts';

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
export class Policy {
  readonly #inputs: PolicyInputs;
  readonly #client: DeclaredRoots;
  /** What `verdicts` stood for last. */
  #last: { rules?: AccessRules; gitKey?: string; roots?: readonly string[] | undefined } = {};

  constructor(inputs: PolicyInputs, client: DeclaredRoots) {
    this.#inputs = inputs;
    this.#client = client;
  }

  /** @throws UserError if the operation is switched off, or the workspace is not trusted and the operation is not `read` */
  requireOperation(operation: Operation): void {
    const off = this.offBy(operation);
    if (off) throw operationOff(operation, off);
  }

  /** What blocks an operation in the whole window; undefined if nothing does. */
  offBy(operation: Operation): Off | undefined {
    const { isTrusted, operations } = this.#inputs.rules;
    if (operation !== 'read' && !isTrusted) return 'trust';
    return operations.has(operation) ? undefined : 'allowedOperations';
  }

  /** Checks a path before any disk access, so that nothing outside is revealed. @throws UserError */
  requireNamed(path: string): void {
    this.#requireOpen(path, this.closedAsNamed(path));
  }

  /** Checks the target of a path, all links resolved. @throws UserError */
  requireReal(path: string, realPath: string): void {
    const closed = this.closedAsReal(realPath);
    const name = closed?.by === 'outside' ? `What the link ${path} leads to` : path;
    this.#requireOpen(name, closed);
  }

  /** Why a path is closed by its name alone; undefined if it is open. */
  closedAsNamed(path: string): Closed | undefined {
    if (!this.#isOpen(path, 'path') && !this.#isOpen(path, 'realPath')) return { by: 'outside' };
    if (hasAlternateName(path, this.#inputs.platform)) return { by: 'alternate name' };
    return this.#closedByRule(path);
  }

  /** Why a real path (all links resolved) is closed; undefined if it is open. */
  closedAsReal(realPath: string): Closed | undefined {
    if (!this.#isOpen(realPath, 'realPath')) return { by: 'outside' };
    return this.#closedByRule(realPath) ?? this.#closedByGit(realPath) ?? this.#closedByRoots(realPath);
  }

  /** Why a file or folder is guarded by one of its names; undefined if it is not. What a closed link leads to is guarded. */
  guardedAs(name: string, isFolder = false): Guarded | undefined {
    const judged = asJudged(name, this.#inputs.platform);
    const place = withoutWorktrees(isFolder ? `${judged}/` : judged);
    const reason = guardedBy(place) ?? closedBy(place);
    if (reason) return { by: 'table', reason };
    if (this.#isEditorData(judged)) return { by: 'editor data' };
    const server = this.#inputs.serverOf(judged);
    if (server !== undefined) return { by: 'server', server };
    const found = this.#inputs.rules.find('guardedPaths', judged, true);
    return found && { by: 'guardedPaths', ...found };
  }

  /** Checks access to texts that have no path yet. @throws UserError if the client's roots exclude them */
  requireUnnamed(): void {
    this.requireOperation('read');
    if (this.mayListUnnamed()) return;
    throw new UserError('A text without a file is outside the roots that your client declared.');
  }

  /** Whether texts that have no path yet may be listed. */
  mayListUnnamed(): boolean {
    return this.#mayRead && !this.#client.paths;
  }

  /** Whether a path that is not a link may be listed and mentioned. */
  mayList(path: string): boolean {
    if (!this.#mayRead || !this.#isOpen(path, 'path') || this.#closedByRule(path)) return false;
    const real = this.#asReal(path);
    if (real !== path && this.#closedByRule(real)) return false;
    return !this.#closedByGit(real) && !this.#closedByRoots(real);
  }

  /** Whether a workspace folder may be mentioned: it is in a client root, contains one, or there are no roots. */
  mayEnter(folder: string): boolean {
    const { paths: roots } = this.#client;
    if (!roots) return true;
    const { platform } = this.#inputs;
    const real = this.#asReal(folder);
    return roots.some((root) => isWithin(root, real, platform) || isWithin(real, root, platform));
  }

  /** Whether settings or client roots close files of the workspace: messages about other files may quote those. */
  closesFiles(): boolean {
    const { denies, folders } = this.#inputs.rules;
    if (denies || !this.#client.paths) return denies;
    return folders.some(({ realPath }) => this.#closedByRoots(realPath) !== undefined);
  }

  /** A key of the rules for reading a file. It stays the same if folders without settings of their own are added or removed. */
  rulesKey(): string {
    const { settings, folders } = this.#inputs.rules;
    const own = JSON.stringify(settings);
    const others = folders.map(({ path, settings }) => [path, JSON.stringify(settings)]);
    return JSON.stringify([
      own,
      others.filter(([, settings]) => settings !== own),
      this.#client.paths ?? '-',
    ]);
  }

  /** The same object while every path gets the same verdict, and is in the same folder. */
  get verdicts(): object {
    const { rules, git } = this.#inputs;
    const { paths: roots } = this.#client;
    const { key: gitKey } = git;
    const last = this.#last;
    if (last.rules !== rules || last.gitKey !== gitKey || last.roots !== roots)
      this.#last = { rules, gitKey, roots };
    return this.#last;
  }

  /** Bytes of one file that agents may read: the smallest limit of all its names. */
  maxFileSize(...paths: string[]): number {
    return this.#inputs.rules.maxFileSize(paths);
  }

  #requireOpen(path: string, closed: Closed | undefined): void {
    if (!closed) return;
    const told = this.#inputs.rules.folders.filter((folder) => this.mayEnter(folder.path));
    throw refusal(path, closed, told);
  }

  get #mayRead(): boolean {
    return this.#inputs.rules.operations.has('read');
  }

  #isOpen(path: string, side: 'path' | 'realPath'): boolean {
    const { platform, rules } = this.#inputs;
    return (
      rules.folders.some((folder) => isWithin(path, folder[side], platform)) ||
      rules.settings.allowedPaths.some((allowed) => isWithin(path, allowed, platform))
    );
  }

  #closedByRule(path: string): Closed | undefined {
    const judged = asJudged(path, this.#inputs.platform);
    const reason = closedBy(judged);
    if (reason) return { by: 'secret', reason };
    if (this.#isEditorData(judged)) return { by: 'editor data' };
    const found = this.#inputs.rules.find('deniedPaths', judged);
    return found && { by: 'deniedPaths', ...found };
  }

  /** Not checked by name alone: only resolving the path shows that a directory no longer belongs to Git. */
  #closedByGit(realPath: string): Closed | undefined {
    return this.#inputs.git.holds(realPath) ? { by: 'secret', reason: VERSION_CONTROL } : undefined;
  }

  /** Write access there would decide what agents may do. */
  #isEditorData(path: string): boolean {
    return this.#inputs.editorData.some((directory) => isWithin(path, directory, this.#inputs.platform));
  }

  #closedByRoots(realPath: string): Closed | undefined {
    const roots = this.#client.paths;
    if (!roots || roots.some((root) => isWithin(realPath, root, this.#inputs.platform))) return undefined;
    return { by: 'roots', roots };
  }

  /** A path in a folder that was opened through a link, with the link resolved. */
  #asReal(path: string): string {
    const { platform, rules } = this.#inputs;
    const linked = rules.folders.find(
      (folder) => folder.path !== folder.realPath && isWithin(path, folder.path, platform),
    );
    return linked ? linked.realPath + path.slice(linked.path.length) : path;
  }
}

/** Claude Code puts checkouts of the repository into its own folder: what is in one is judged as in the repository. */
const withoutWorktrees = (path: string): string =>
  path.replace(/(?<=\/)\.claude\/worktrees\/[^/]+\/(?=.)/i, '');
