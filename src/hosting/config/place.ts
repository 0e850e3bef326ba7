/** Where the user's approval of a server counts, with what they enter for it. */
import { hostname } from 'node:os';
import type * as vscode from 'vscode';
import { textsIn } from '../../core/json.ts';
import type { ServerLaunch } from './definition.ts';
import { references } from './resolve/variables.ts';
import type { FoundServer } from './sources.ts';

type Window = Pick<typeof vscode, 'workspace' | 'env'>;

/** On machines of the user's own. In a container, devcontainer.json of a repository may have written the settings. */
const OWN_REMOTES = /^(ssh-remote|wsl|tunnel)$/;

/**
 * Where the user's approval of a server counts. One of the user's own that starts alike in all folders has the same place in all of them, on this
 * machine; all others belong to a folder.
 */
export function trustPlace(server: Pick<FoundServer, 'source' | 'found'>, window: Window): string {
  const { source, found } = server;
  const isUsers = source.kind !== 'folder' && 'definition' in found;
  const isAlike = isUsers && folderParts(found.definition.launch).length === 0;
  return (isAlike ? everyFolder(window.env) : undefined) ?? folderOf(server, window);
}

/** URI of the folder that a server belongs to: of the user's own the first one, or the workspace or the empty window. */
export function folderOf(
  { source }: Pick<FoundServer, 'source'>,
  { workspace: { workspaceFolders, workspaceFile } }: Pick<Window, 'workspace'>,
): string {
  if (source.kind !== 'folder') return `${workspaceFolders?.[0]?.uri ?? workspaceFile ?? ''}`;
  const { path } = source.folder;
  return `${workspaceFolders?.find(({ uri }) => uri.fsPath === path)?.uri ?? path}`;
}

/** The place of servers that start alike in all folders; undefined in a window that has no such servers. */
export function everyFolder({ remoteName }: Window['env']): string | undefined {
  if (remoteName === undefined) return 'every folder';
  return OWN_REMOTES.test(remoteName) ? `every folder: ${remoteName} ${hostname()}` : undefined;
}

/** What makes a launch of the user's own another one in another folder: variables, and fields with relative paths. */
export function folderParts(launch: ServerLaunch, platform = process.platform): string[] {
  const variables = textsIn(launch)
    .flatMap(([, text]) => references(text))
    .filter((name) => /^(workspaceFolder(Basename)?|cwd)(:|$)/.test(name))
    .map((name) => `\${${name}}`);
  const isRelative = (path?: string) => path !== undefined && !isAbsolute(path, platform);
  // Not by `isStdio`, whose file brings a parser into the code of the view.
  const paths =
    'command' in launch ? (['cwd', 'envFile'] as const).filter((field) => isRelative(launch[field])) : [];
  return [...new Set([...variables, ...paths])];
}

/** Whatever its variables are. On Windows a path without a drive is one on the drive of the folder. */
const isAbsolute = (path: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32'
    ? /^([A-Za-z]:[\\/]|\\\\|(~|\$\{userHome\})(?=$|[\\/]))/.test(path)
    : /^(\/|(~|\$\{userHome\})(?=$|\/))/.test(path);
