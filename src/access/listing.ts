import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { CancelledError, throwIfCancelled, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import { SharedRun } from '../util/sharedRun.ts';
import { withToken } from '../util/token.ts';
import { readExcludes } from './excludes.ts';
import { ListedFile, ListedFolder } from './listedFile.ts';
import { slashed } from './naming.ts';
import { findRipgrep, runRipgrep, scopeArguments } from './ripgrep.ts';

export type { ListedFile };

/** How long listing may take, in milliseconds. */
const PATIENCE = 60_000;

/**
 * All files of the workspace folders: without what `.gitignore` and `files.exclude` leave out. Listed when first asked
 * for and again after a change; one for the window. Secrets are in it: the policy takes them out for each agent.
 */
export class Listing {
  readonly #vscode: typeof vscode;
  readonly #ripgrep: string | undefined;
  #run: SharedRun<readonly ListedFile[]> | undefined;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#ripgrep = findRipgrep(code.env.appRoot);
  }

  /**
   * Sorted by URI; a file of nested folders once, as one of the innermost. Listing stops when all who wait for it have
   * been cancelled.
   *
   * @throws CancelledError, UserError
   */
  files(signal?: AbortSignal): Promise<readonly ListedFile[]> {
    if (!this.#run || this.#run.isStopped) this.#run = this.#begin();
    return this.#run.join(signal);
  }

  #begin(): SharedRun<readonly ListedFile[]> {
    const run = new SharedRun((signal) => this.#list(signal));
    run.result.catch(() => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }

  /** The list may be out of date: it is made anew when it is next asked for. */
  forget(): void {
    this.#run = undefined;
  }

  /** As it was last asked for, since it was last forgotten. */
  get known(): Promise<readonly ListedFile[]> | undefined {
    return this.#run?.result;
  }

  async #list(signal: AbortSignal): Promise<readonly ListedFile[]> {
    const all = this.#vscode.workspace.workspaceFolders ?? [];
    const folders = all.map((folder) => new ListedFolder(this.#vscode.Uri, folder, all));
    const lists = await Promise.all(folders.map((folder) => this.#listFolder(folder, signal)));
    return lists.flat().sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #listFolder(folder: ListedFolder, signal: AbortSignal): Promise<ListedFile[]> {
    const { uri } = folder;
    const isOnDisk = this.#ripgrep !== undefined && uri.scheme === 'file';
    const paths = isOnDisk
      ? await this.#listDisk(this.#ripgrep, uri, signal)
      : await this.#listVirtual(folder, signal);
    return paths.filter((path) => folder.isInnermostOf(path)).map((path) => new ListedFile(folder, path));
  }

  async #listDisk(executable: string, uri: vscode.Uri, stopped: AbortSignal): Promise<string[]> {
    if (!existsSync(uri.fsPath)) return []; // one of several folders may have gone
    const { globs, hasConditions, bySibling } = readExcludes(this.#vscode.workspace, uri);
    const paths: string[] = [];
    await runRipgrep({
      executable,
      args: ['--files', '--null', '--no-messages', ...scopeArguments(uri.fsPath, globs)],
      cwd: uri.fsPath,
      separator: '\0',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
      onPiece: (path) => paths.push(slashed(path)) > 0,
    }).catch((error) => {
      if (!(error instanceof CancelledError) || stopped.aborted) throw error;
      throw new UserError(`Listing the files of ${uri.fsPath} took longer than ${PATIENCE / 1000} s.`);
    });
    if (!hasConditions) return paths;
    const known = new Set(paths);
    return paths.filter((path) => !bySibling(path, (sibling) => known.has(sibling)));
  }

  /** Virtual file systems, and builds of VS Code without ripgrep. */
  async #listVirtual({ folder, uri }: ListedFolder, signal: AbortSignal): Promise<string[]> {
    const { workspace, RelativePattern } = this.#vscode;
    const pattern = new RelativePattern(folder, '**/*');
    const uris = await withToken(this.#vscode, signal, (token) =>
      withDeadline(workspace.findFiles(pattern, undefined, undefined, token), 'listing files', PATIENCE),
    );
    throwIfCancelled(signal); // what VS Code has found until then is not all
    const start = uri.path.replace(/\/$/, '').length + 1;
    return uris.map(({ path }) => path.slice(start));
  }
}
