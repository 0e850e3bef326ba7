import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { FakeConfiguration, type SettingScopes } from './configuration.ts';
import { FakeDocuments } from './documents.ts';
import { Emitter, listenersOf } from './emitter.ts';
import { FakeFileSystem } from './fileSystem.ts';
import { type FakeFolder, FakeFolders } from './folders.ts';
import type { FakeLanguages } from './languages.ts';
import { live } from './strict.ts';
import { type RelativePattern, Uri } from './values.ts';
import { FakeWatcher } from './watcher.ts';

export interface WorkspaceOptions extends SettingScopes {
  folders: readonly FakeFolder[];
  isTrusted?: boolean;
  /** The `.code-workspace` file of several folders. */
  workspaceFile?: vscode.Uri;
}

/** The namespace `workspace`. */
export class FakeWorkspace {
  /** How VS Code decodes what is not UTF-8. */
  decodes = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
  encodes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  readonly documents: FakeDocuments;
  readonly fileSystem = new FakeFileSystem();
  readonly #folders = new FakeFolders();
  readonly #configuration = new FakeConfiguration();
  readonly #watcher = new FakeWatcher();
  readonly #onTrust = new Emitter<void>();
  #isTrusted = true;
  #file: vscode.Uri | undefined;

  constructor(languages: FakeLanguages) {
    this.documents = new FakeDocuments(languages);
  }

  /** To be called once, before the API is used. */
  starts({ folders, isTrusted = true, workspaceFile, ...scopes }: WorkspaceOptions): void {
    this.#folders.opens(folders);
    this.#configuration.scopes = scopes;
    this.#isTrusted = isTrusted;
    this.#file = workspaceFile;
  }

  api() {
    return live(
      {
        workspaceFolders: () => this.#folders.all,
        textDocuments: () => this.documents.all,
        notebookDocuments: () => this.documents.notebooks,
        isTrusted: () => this.#isTrusted,
        name: () => this.#folders.all[0]?.name,
        workspaceFile: () => this.#file,
      },
      {
        ...this.documents.workspace,
        fs: this.fileSystem.api,
        getWorkspaceFolder: (uri: vscode.Uri) => this.#folders.of(uri),
        asRelativePath: (uri: vscode.Uri) =>
          uri.path.slice((this.#folders.of(uri)?.uri.path.length ?? -1) + 1),
        getConfiguration: (section: string, scope?: vscode.Uri | null) =>
          this.#configuration.section(section, scope),
        findFiles: (where: string | RelativePattern) => this.#find(where),
        decode: async (bytes: Uint8Array) => this.decodes(bytes),
        encode: async (text: string) => this.encodes(text),
        createFileSystemWatcher: (pattern: string | RelativePattern) => this.#watcher.watch(pattern),
        onDidChangeWorkspaceFolders: this.#folders.onChange.event,
        onDidChangeConfiguration: this.#configuration.onChange.event,
        onDidGrantWorkspaceTrust: this.#onTrust.event,
      },
    );
  }

  /** @param where a text is `**\/*` and an ending */
  async #find(where: string | RelativePattern): Promise<vscode.Uri[]> {
    if (typeof where !== 'string') return listAll(where.baseUri);
    const all = await Promise.all(this.#folders.all.map(({ uri }) => listAll(uri)));
    return all.flat().filter(({ path }) => path.endsWith(where.slice(where.lastIndexOf('*') + 1)));
  }

  person() {
    return {
      ...this.documents.person,
      ...this.#watcher.person,
      opensFolders: (folders: readonly FakeFolder[]): void => this.#folders.opens(folders),
      sets: this.#configuration.sets,
      trusts: (): void => {
        this.#isTrusted = true;
        this.#onTrust.fire();
      },
    };
  }

  get listeners(): number {
    const changes = [this.#folders.onChange, this.#configuration.onChange, this.#onTrust];
    return listenersOf([...changes, this.documents, this.#watcher]);
  }
}

/** What is listed if there is no ripgrep; no extension brings a search of its own. */
async function listAll(folder: vscode.Uri): Promise<vscode.Uri[]> {
  if (folder.scheme !== 'file') return [];
  const entries = await readdir(folder.fsPath, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => Uri.file(join(entry.parentPath, entry.name)));
}
