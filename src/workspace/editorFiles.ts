import type * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../core/json.ts';
import { namesIn } from './list/children.ts';

/** A kind of the user's own files that a profile of VS Code has. */
export type ProfilePart = 'snippets' | 'prompts';

/**
 * Files of the user's VS Code profile and of extensions. No access rule applies: they are not the workspace's, and agents get only
 * what the user switched on.
 */
export class EditorFiles {
  readonly #vscode: typeof vscode;
  readonly #userFolder: vscode.Uri | undefined;

  /** @param userFolder with the user's settings, snippets and profiles; undefined if it is not known */
  constructor(code: typeof vscode, userFolder: vscode.Uri | undefined) {
    this.#vscode = code;
    this.#userFolder = userFolder;
  }

  /** Undefined if it cannot be read. */
  text(uri: vscode.Uri): Promise<string | undefined> {
    return Promise.resolve(this.#vscode.workspace.fs.readFile(uri)).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );
  }

  /** The files of the window's profile by the ends of their names, sorted. */
  async ofProfile(part: ProfilePart, endings: RegExp): Promise<vscode.Uri[]> {
    const folder = await this.#folder(part);
    if (!folder) return [];
    const names = (await namesIn(this.#vscode, folder)).filter((name) => endings.test(name));
    return names.sort().map((name) => this.#vscode.Uri.joinPath(folder, name));
  }

  /** Fires with the files of the window's profile that change. */
  watchProfile(part: ProfilePart, onChange: (uri: vscode.Uri) => void): vscode.Disposable {
    const { Disposable, RelativePattern, workspace } = this.#vscode;
    const watching: vscode.Disposable[] = [];
    let isOver = false;
    void this.#folder(part).then((folder) => {
      if (!folder || isOver) return;
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '*'));
      const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
      watching.push(watcher, ...events.map((listen) => listen(onChange)));
    });
    return new Disposable(() => {
      isOver = true;
      for (const one of watching) one.dispose();
    });
  }

  /** VS Code tells no extension which profile a window has. It keeps that, with all named profiles, in a file. */
  async #folder(part: ProfilePart): Promise<vscode.Uri | undefined> {
    const { Uri, workspace } = this.#vscode;
    if (!this.#userFolder) return undefined;
    const state = parsedJson(
      (await this.text(Uri.joinPath(this.#userFolder, 'globalStorage/storage.json'))) ?? '',
    );
    const { profileAssociations, userDataProfiles } = fieldsOf(state);
    const opened = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
    const id = fieldsOf(fieldsOf(profileAssociations).workspaces)[`${opened}`];
    const profile = itemsOf(userDataProfiles)
      .map(fieldsOf)
      .find(({ location }) => location === id && typeof id === 'string' && /^[\w-]+$/.test(id));
    const isShared = !profile || fieldsOf(profile.useDefaultFlags)[part] === true;
    const parts = isShared ? [part] : ['profiles', `${id}`, part];
    return Uri.joinPath(this.#userFolder, ...parts);
  }
}
