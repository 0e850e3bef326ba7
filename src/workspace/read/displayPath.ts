import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { Location, Locator } from './location.ts';

/** On Windows both slashes part names; elsewhere a backslash may stand in one. */
export const slashed = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;

/** The open document of a file, by its own name or by the one that links lead to, whether or not an editor shows it. */
export function openDocument(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.TextDocument | undefined {
  const wanted = [uri.toString(), targetUri.toString()];
  return workspace.textDocuments.find(
    (document) => !document.isClosed && wanted.includes(document.uri.toString()),
  );
}

/** What is a URI wherever it is named; a path relative to a folder may look like one. */
export const isUri = (path: string): boolean => /^([a-z][a-z0-9+.-]+:\/|untitled:)/i.test(path);

/** How results name a file: with `/`, relative to its folder, the folder's name in front where there are several. It leads back. */
export function displayPath({ vscode: { workspace } }: Pick<Locator, 'vscode'>, uri: vscode.Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return wholePath(uri);
  const folders = workspace.workspaceFolders ?? [];
  const inside = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  if (inside) return pathIn(prefixOf(folder, folders), inside) ?? wholePath(uri);
  return folders.length > 1 ? labelOf(folder, folders) : '.';
}

const wholePath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());

/** A folder by its name, or, where that does not lead to it, by its whole path. */
export const labelOf = (
  folder: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string => (isUsable(folder.name, folders) ? folder.name : wholePath(folder.uri));

/** What stands in front of paths in a folder; undefined where only whole paths lead there. */
export function prefixOf(
  { name }: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string | undefined {
  if (folders.length < 2) return '';
  return isUsable(name, folders) ? `${name}/` : undefined;
}

/** A path in a folder with what stands in front; undefined where it would be taken for something else. */
export const pathIn = (prefix: string | undefined, inside: string): string | undefined =>
  prefix === undefined || isUri(prefix + inside) ? undefined : prefix + inside;

/** Names come from the workspace file, which may give any, and the same one twice. */
function isUsable(name: string, folders: readonly vscode.WorkspaceFolder[]): boolean {
  const isPlain = !slashed(name).includes('/') && name !== '.' && name !== '..' && visible(name) === name;
  const isOther = isUri(`${name}/`) || isAbsolute(`${name}/`);
  return isPlain && !isOther && folders.filter((folder) => folder.name === name).length === 1;
}
