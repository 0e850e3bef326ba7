import type * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../core/json.ts';
import { namesIn } from './list/children.ts';

export type ProfilePart = 'snippets' | 'prompts';

/**
 * Files of the user's VS Code profile and of extensions. No access rule applies: they are not the workspace's, and agents get only
 * what the user switched on.
 */
export class EditorFiles {
  readonly #code: typeof vscode;
  readonly #userFolder: vscode.Uri | undefined;

  /** @param userFolder with the user's settings, snippets and profiles; undefined if it is not known */
  constructor(code: typeof vscode, userFolder: vscode.Uri | undefined) {
    this.#code = code;
    this.#userFolder = userFolder;
  }

  /** Undefined if it cannot be read. */
  async text(uri: vscode.Uri): Promise<string | undefined> {
    const read = async () => new TextDecoder().decode(await this.#code.workspace.fs.readFile(uri));
    return read().catch(() => undefined);
  }

  /** The files of the window's profile by the ends of their names, sorted. */
  async ofProfile(part: ProfilePart, endings: RegExp): Promise<vscode.Uri[]> {
    const folder = await this.#folderOf(part);
    if (!folder) return [];
    const names = (await namesIn(this.#code, folder)).filter((name) => endings.test(name));
    return names.sort().map((name) => this.#code.Uri.joinPath(folder, name));
  }

  /** Fires with the files of the window's profile that change. */
  watchProfile(part: ProfilePart, onChange: (uri: vscode.Uri) => void): vscode.Disposable {
    const { Disposable, RelativePattern, workspace } = this.#code;
    const watching: vscode.Disposable[] = [];
    let isOver = false;
    void this.#folderOf(part).then((folder) => {
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

  /** VS Code does not say which profile a window has. It keeps that, with all named profiles, in a file. */
  async #folderOf(part: ProfilePart): Promise<vscode.Uri | undefined> {
    const { Uri, workspace } = this.#code;
    const top = this.#userFolder;
    if (!top) return undefined;
    const state = parsedJson((await this.text(Uri.joinPath(top, 'globalStorage/storage.json'))) ?? '');
    const { profileAssociations, userDataProfiles } = fieldsOf(state);
    const opened = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
    const id = fieldsOf(fieldsOf(profileAssociations).workspaces)[`${opened}`];
    const profile = itemsOf(userDataProfiles)
      .map(fieldsOf)
      .find(({ location }) => location === id && typeof id === 'string' && /^[\w-]+$/.test(id));
    const isShared = !profile || fieldsOf(profile.useDefaultFlags)[part] === true;
    return Uri.joinPath(top, ...(isShared ? [part] : ['profiles', `${id}`, part]));
  }
}
