import type * as vscode from 'vscode';
import type { Scope } from '../scope.ts';
import { readDiff } from './fileDiff.ts';
import { type GitApi, hasRepository, requireGit } from './gitApi.ts';
import { locateChanged, type RepositoryChanges, readChanges } from './sourceControl.ts';

/** Git as one agent may see it: closed files are left out, texts are redacted. */
export class Git {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Whether Git has started and found a repository. */
  get hasRepository(): boolean {
    return hasRepository(this.#scope.vscode);
  }

  /** Waits until Git has started. @throws UserError where VS Code has none, or it is disabled */
  async require(): Promise<void> {
    await requireGit(this.#scope.vscode);
  }

  /** The changed files of each repository. @throws UserError */
  changes(): Promise<{ repositories: RepositoryChanges[] }> {
    return readChanges(this.#scope);
  }

  /** A changed file by its path, also a deleted one. @throws UserError, NotFoundError */
  locate(path: string): ReturnType<typeof locateChanged> {
    return locateChanged(path, this.#scope);
  }

  /** A unified diff of a file with its unsaved text against the last commit; empty if equal. @throws UserError, NotFoundError */
  diff(path: string): Promise<string> {
    return readDiff(path, this.#scope);
  }

  /**
   * Listens to Git once its extension has started.
   *
   * @param onMissing called if there is no Git
   */
  listen(
    begin: (git: GitApi) => { dispose(): void }[],
    onMissing: (error: Error) => void,
  ): vscode.Disposable {
    const { Disposable } = this.#scope.vscode;
    let listening: vscode.Disposable | undefined;
    let isDisposed = false;
    requireGit(this.#scope.vscode)
      .then((git) => {
        if (!isDisposed) listening = Disposable.from(...begin(git));
      })
      .catch(onMissing);
    return new Disposable(() => {
      isDisposed = true;
      listening?.dispose();
    });
  }
}
