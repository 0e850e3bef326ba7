import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/clock.ts';
import { whenDifferent } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Scope } from '../scope.ts';

/** The part of the Git extension's API in use: extensions/git/src/api/git.d.ts, version 1. */
export interface Change {
  readonly uri: vscode.Uri;
  /** The former URI of a renamed file. */
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
  /** An index of STATUS. */
  readonly status: number;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { name?: string; commit?: string; ahead?: number; behind?: number } | undefined;
    readonly mergeChanges: readonly Change[];
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    /** If the user's settings show untracked files as a separate list. */
    readonly untrackedChanges?: readonly Change[];
    readonly onDidChange: vscode.Event<void>;
  };
  /** Looks at the files now: what it knows is some seconds old. */
  status(): Promise<void>;
  /** With the size in bytes. @param path absolute */
  getObjectDetails(ref: string, path: string): Promise<{ readonly size: number }>;
  /** @param path absolute */
  show(ref: string, path: string): Promise<string>;
  /** @param path absolute */
  buffer(ref: string, path: string): Promise<Uint8Array>;
  getBranches(query: { remote: boolean }): Promise<readonly { readonly name?: string }[]>;
  getMergeBase(ref1: string, ref2: string): Promise<string | undefined>;
  /** The files that differ from a commit, without untracked ones. */
  diffWith(ref: string): Promise<readonly Change[]>;
}

export interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
  /** The program. */
  readonly git?: { readonly path: string };
  getRepository(uri: vscode.Uri): Repository | null;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

export const STATUS = [
  ...['staged: modified', 'staged: added', 'staged: deleted', 'staged: renamed', 'staged: copied'],
  ...['modified', 'deleted', 'untracked', 'ignored', 'intent to add', 'intent to rename', 'type changed'],
  ...['added by us', 'added by them', 'deleted by us', 'deleted by them'],
  ...['both added', 'both deleted', 'both modified'],
] as const;

const extensionOf = ({ extensions }: typeof vscode) => extensions.getExtension<GitExtension>('vscode.git');

const apiOf = (git: GitExtension): GitApi | undefined => (git.enabled ? git.getAPI(1) : undefined);

export function hasRepository(code: typeof vscode): boolean {
  const extension = extensionOf(code);
  return extension?.isActive === true && (apiOf(extension.exports)?.repositories.length ?? 0) > 0;
}

/** Waits until the Git extension has started. @throws UserError if it is missing or disabled */
export async function requireGit(code: typeof vscode): Promise<GitApi> {
  const extension = extensionOf(code);
  const started = extension && withDeadline(extension.activate(), 'starting its extension "Git"');
  const git = started && apiOf(await started);
  if (git) return git;
  throw new UserError(
    'Git is not available: VS Code\'s extension "Git" is missing or disabled (setting git.enabled), or the workspace is not trusted. Ask the user.',
  );
}

interface GitScope {
  vscode: typeof vscode;
  log: Log;
}

/** Listens to Git after its extension has started. */
export function listenToGit(
  { vscode: code, log }: GitScope,
  begin: (git: GitApi) => { dispose(): void }[],
): vscode.Disposable {
  let listening: vscode.Disposable | undefined;
  let isDisposed = false;
  requireGit(code)
    .then((git) => {
      if (!isDisposed) listening = code.Disposable.from(...begin(git));
    })
    .catch((error: Error) => log.debug(`Changes in Git are not watched: ${error.message}`));
  return new code.Disposable(() => {
    isDisposed = true;
    listening?.dispose();
  });
}

/** Calls `onChange` when the window has its first repository, or its last one is closed. */
export function watchForRepositories(ctx: GitScope, onChange: () => void): vscode.Disposable {
  const compare = whenDifferent(() => hasRepository(ctx.vscode), onChange);
  return listenToGit(ctx, (git) => {
    compare();
    return [git.onDidOpenRepository(compare), git.onDidCloseRepository(compare)];
  });
}

/** @throws UserError if Git is not available or has no repository open */
export async function requireRepositories(code: typeof vscode): Promise<readonly Repository[]> {
  const { repositories } = await requireGit(code);
  if (repositories.length > 0) return repositories;
  throw new UserError(
    'No Git repository is open in this window: no workspace folder is in one, or VS Code has not found it yet.',
  );
}

/** All changes of a repository, staged ones first. */
export const changesOf = ({ state }: Repository): Change[] => [
  ...state.mergeChanges,
  ...state.indexChanges,
  ...state.workingTreeChanges,
  ...(state.untrackedChanges ?? []),
];

/** Most changed files reported per repository. */
const MOST_CHANGES = 1_000;

interface ChangedFile {
  path: string;
  status: string;
  /** The former path of a renamed file. */
  from?: string;
}

export interface RepositoryChanges {
  /** Only if the agent may see it. */
  root?: string;
  branch?: string;
  commit?: string;
  ahead?: number;
  behind?: number;
  changes: ChangedFile[];
  leftOut?: number;
}

/** The changes in the window's repositories, as in the source control view. @throws UserError */
export async function readChanges(ctx: Scope): Promise<{ repositories: RepositoryChanges[] }> {
  const repositories = await requireRepositories(ctx.vscode);
  const read = await Promise.all(repositories.map((repository) => changesIn(repository, ctx)));
  return { repositories: read.filter((one) => one !== undefined) };
}

/** Undefined if the agent may see nothing in the repository. */
async function changesIn(repository: Repository, ctx: Scope): Promise<RepositoryChanges | undefined> {
  const { HEAD } = repository.state;
  const root = await ctx.files.permitted(repository.rootUri);
  const shown = await Promise.all(changesOf(repository).map((change) => changedFile(change, ctx)));
  const changes = shown.filter((one) => one !== undefined);
  if (!root && changes.length === 0) return undefined;
  const { name, commit, ahead, behind } = HEAD ?? {};
  return {
    ...(root && { root: root.path }),
    ...(name && { branch: ctx.files.redactor.text(name) }),
    ...(commit && { commit }),
    ...(ahead && { ahead }),
    ...(behind && { behind }),
    changes: changes.slice(0, MOST_CHANGES),
    ...(changes.length > MOST_CHANGES && { leftOut: changes.length - MOST_CHANGES }),
  };
}

/** The file's current URI. */
export const presentUri = ({ uri, renameUri }: Change): vscode.Uri => renameUri ?? uri;

/** A changed file as the agent may know it, also a deleted one; undefined if it is closed. */
export async function locateChange(
  change: Change,
  { files }: Scope,
): Promise<Pick<Location, 'uri' | 'targetUri' | 'path'> | undefined> {
  const uri = presentUri(change);
  // A deleted file is checked by its name.
  return files.locateUri(uri.toString()).catch((error) => {
    if (error instanceof NotFoundError && files.mayKnow(uri)) return { uri, path: files.displayPath(uri) };
    if (error instanceof UserError) return undefined;
    throw error;
  });
}

async function changedFile(change: Change, ctx: Scope): Promise<ChangedFile | undefined> {
  const { files } = ctx;
  const uri = presentUri(change);
  const location = await locateChange(change, ctx);
  const { originalUri } = change;
  const isRenamed = originalUri.toString() !== uri.toString() && files.mayKnow(originalUri);
  const from = isRenamed ? files.displayPath(originalUri) : undefined;
  const status = STATUS[change.status] ?? 'changed';
  if (location) return { path: location.path, status, ...(from !== undefined && { from }) };
  // The new name is closed to the agent: report the old name as deleted.
  return from !== undefined && /renamed/.test(status)
    ? { path: from, status: status.replace('renamed', 'deleted') }
    : undefined;
}

/** Locates a changed file by its path, also a deleted one. @throws UserError, NotFoundError */
export async function locateChanged(
  path: string,
  ctx: Scope,
): Promise<Pick<Location, 'uri' | 'targetUri' | 'path'>> {
  try {
    return await ctx.files.locate(path);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { repositories } = await requireGit(ctx.vscode);
    const all = repositories.flatMap(changesOf).flatMap(({ uri, originalUri }) => [uri, originalUri]);
    for (const uri of all) {
      if (ctx.files.displayPath(uri) === path && ctx.files.mayKnow(uri)) return { uri, path };
    }
    throw error;
  }
}
