import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Log } from '../../util/log.ts';

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
  /** @param path absolute */
  show(ref: string, path: string): Promise<string>;
  getBranches(query: { remote: boolean }): Promise<readonly { readonly name?: string }[]>;
  getMergeBase(ref1: string, ref2: string): Promise<string | undefined>;
  /** The files that differ from a commit, without untracked ones. */
  diffWith(ref: string): Promise<readonly Change[]>;
}

export interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
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

/** Whether the Git extension has started and found a repository. */
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

/** Listens to Git after its extension has started. */
export function listenToGit(
  { vscode: code, log }: { vscode: typeof vscode; log: Log },
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
