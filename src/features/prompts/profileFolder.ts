import type * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import type { Context } from '../context.ts';

/**
 * The folder of the window's profile with the user's own files of a kind, which may not exist. Undefined if VS Code keeps them
 * elsewhere.
 *
 * VS Code tells no extension which profile a window has. It keeps that, with all named profiles, in the file that is read here.
 */
export async function profileFolder(
  { vscode: { Uri, workspace }, userFolder }: Context,
  part: 'snippets' | 'prompts',
): Promise<vscode.Uri | undefined> {
  if (!userFolder) return undefined;
  const file = Uri.joinPath(userFolder, 'globalStorage', 'storage.json');
  const text = await readText(file, workspace.fs);
  const { profileAssociations, userDataProfiles } = fieldsOf(parsedJson(text ?? ''));
  const opened = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
  const id = fieldsOf(fieldsOf(profileAssociations).workspaces)[`${opened}`];
  const profile = itemsOf(userDataProfiles)
    .map(fieldsOf)
    .find(({ location }) => location === id && typeof id === 'string' && /^[\w-]+$/.test(id));
  const isShared = !profile || fieldsOf(profile.useDefaultFlags)[part] === true;
  return isShared ? Uri.joinPath(userFolder, part) : Uri.joinPath(userFolder, 'profiles', `${id}`, part);
}

/** Undefined if it cannot be read. These files are not the workspace's, so no access rule of it applies. */
export const readText = (uri: vscode.Uri, fs: vscode.FileSystem): Promise<string | undefined> =>
  Promise.resolve(fs.readFile(uri)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );

/** Fires when files of that folder change. Their problems go: loading them again reports those that are left. */
export function watchProfileFolder(
  ctx: Context,
  part: 'snippets' | 'prompts',
  onChange: () => void,
): vscode.Disposable {
  const { Disposable, RelativePattern, workspace } = ctx.vscode;
  const watching: vscode.Disposable[] = [];
  let isOver = false;
  void profileFolder(ctx, part).then((folder) => {
    if (!folder || isOver) return;
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '*'));
    const changed = (uri: vscode.Uri) => {
      ctx.promptProblems.clear(uri);
      onChange();
    };
    watching.push(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
    );
  });
  return new Disposable(() => {
    isOver = true;
    for (const one of watching) one.dispose();
  });
}
