import type * as vscode from 'vscode';
import { withDeadline } from '../util/deadline.ts';
import { readExcludes } from './excludes.ts';
import { displayPath } from './locate.ts';
import { findRipgrep, runRipgrep, scopeArguments } from './ripgrep.ts';

export interface ListedFile {
  /** The URI as text: what the list is sorted by. */
  key: string;
  uri: vscode.Uri;
  path: string;
  folder: vscode.WorkspaceFolder;
}

/**
 * All files of the workspace folders: without what `.gitignore` and `files.exclude` leave out. Listed when first asked
 * for and again after a change; one for the window. Secrets are in it: the policy takes them out for each agent.
 */
export class Listing {
  readonly #vscode: typeof vscode;
  readonly #ripgrep: string | undefined;
  #files: Promise<readonly ListedFile[]> | undefined;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#ripgrep = findRipgrep(code.env.appRoot);
  }

  /** Sorted by URI, each file once though folders may lie in each other. */
  files(): Promise<readonly ListedFile[]> {
    this.#files ??= this.#list().catch((error) => {
      this.#files = undefined;
      throw error;
    });
    return this.#files;
  }

  /** The list may be out of date: it is made anew when it is next asked for. */
  forget(): void {
    this.#files = undefined;
  }

  /** Whether it has ever been asked for since it was last forgotten. */
  get isKnown(): boolean {
    return this.#files !== undefined;
  }

  async #list(): Promise<readonly ListedFile[]> {
    const folders = this.#vscode.workspace.workspaceFolders ?? [];
    const lists = await Promise.all(folders.map((folder) => this.#listFolder(folder)));
    const byKey = new Map(lists.flat().map((file) => [file.key, file]));
    return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #listFolder(folder: vscode.WorkspaceFolder): Promise<ListedFile[]> {
    const { Uri } = this.#vscode;
    const uris =
      this.#ripgrep && folder.uri.scheme === 'file'
        ? (await this.#listDisk(this.#ripgrep, folder)).map((path) => Uri.joinPath(folder.uri, path))
        : await this.#listVirtual(folder);
    return uris.map((uri) => ({
      key: uri.toString(),
      uri,
      path: displayPath({ vscode: this.#vscode }, uri),
      folder,
    }));
  }

  async #listDisk(executable: string, { uri }: vscode.WorkspaceFolder): Promise<string[]> {
    const { globs, bySibling } = readExcludes(this.#vscode.workspace, uri);
    const paths = new Set<string>();
    await runRipgrep({
      executable,
      args: ['--files', '--null', '--no-messages', ...scopeArguments(uri.fsPath, globs)],
      cwd: uri.fsPath,
      separator: '\0',
      signal: AbortSignal.timeout(60_000),
      onPiece: (path) => Boolean(paths.add(path.replaceAll('\\', '/'))),
    });
    return [...paths].filter((path) => !bySibling(path, (sibling) => paths.has(sibling)));
  }

  /** Virtual file systems, and builds of VS Code without ripgrep. */
  async #listVirtual(folder: vscode.WorkspaceFolder): Promise<vscode.Uri[]> {
    const { workspace, RelativePattern } = this.#vscode;
    return withDeadline(workspace.findFiles(new RelativePattern(folder, '**/*')), 'listing files', 60_000);
  }
}
