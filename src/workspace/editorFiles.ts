import type * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../core/json.ts';
import { namesIn } from './list/children.ts';

export type ProfilePart = 'snippets' | 'prompts';

/**
 * Files of the user's VS Code profile and of extensions. No access rule applies: they are not the workspace's, and agents get only
 * what the user switched on.
 *
 * @param userFolder with the user's settings, snippets and profiles; undefined if it is not known
 */
export function editorFilesOf(code: typeof vscode, userFolder: vscode.Uri | undefined) {
  const { Disposable, RelativePattern, Uri, workspace } = code;

  /** Undefined if it cannot be read. */
  const text = (uri: vscode.Uri): Promise<string | undefined> =>
    Promise.resolve(workspace.fs.readFile(uri)).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );

  /** VS Code tells no extension which profile a window has. It keeps that, with all named profiles, in a file. */
  async function folderOf(part: ProfilePart): Promise<vscode.Uri | undefined> {
    if (!userFolder) return undefined;
    const state = parsedJson((await text(Uri.joinPath(userFolder, 'globalStorage/storage.json'))) ?? '');
    const { profileAssociations, userDataProfiles } = fieldsOf(state);
    const opened = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
    const id = fieldsOf(fieldsOf(profileAssociations).workspaces)[`${opened}`];
    const profile = itemsOf(userDataProfiles)
      .map(fieldsOf)
      .find(({ location }) => location === id && typeof id === 'string' && /^[\w-]+$/.test(id));
    const isShared = !profile || fieldsOf(profile.useDefaultFlags)[part] === true;
    return Uri.joinPath(userFolder, ...(isShared ? [part] : ['profiles', `${id}`, part]));
  }

  return {
    text,
    /** The files of the window's profile by the ends of their names, sorted. */
    async ofProfile(part: ProfilePart, endings: RegExp): Promise<vscode.Uri[]> {
      const folder = await folderOf(part);
      if (!folder) return [];
      const names = (await namesIn(code, folder)).filter((name) => endings.test(name));
      return names.sort().map((name) => Uri.joinPath(folder, name));
    },
    /** Fires with the files of the window's profile that change. */
    watchProfile(part: ProfilePart, onChange: (uri: vscode.Uri) => void): vscode.Disposable {
      const watching: vscode.Disposable[] = [];
      let isOver = false;
      void folderOf(part).then((folder) => {
        if (!folder || isOver) return;
        const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '*'));
        const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
        watching.push(watcher, ...events.map((listen) => listen(onChange)));
      });
      return new Disposable(() => {
        isOver = true;
        for (const one of watching) one.dispose();
      });
    },
  };
}

export type EditorFiles = ReturnType<typeof editorFilesOf>;
