import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import type { Policy } from '../../access/policy.ts';
import type { AccessInputs } from '../../access/policyInputs.ts';
import { visible } from '../../core/text/shown.ts';
import type { AgentPlace } from '../place.ts';

/** What the policy said of a file or folder: that it is open. */
export interface AccessVerdict {
  /** `Policy.verdicts` of that moment: while it is the same object, the verdict stands. */
  of: object;
  /** Bytes that agents may read: the smallest limit of all its names. */
  maxBytes: number;
}

/** A file or folder that the policy allows, by its name and by where that leads. */
export interface Location {
  uri: vscode.Uri;
  /** As results name it: relative to its workspace folder, prefixed with the folder's name if there are several. */
  path: string;
  folder?: vscode.WorkspaceFolder;
  /** A sentence on its name, if that is not exactly the one that was asked for. */
  note?: string;
  /** Absolute, all links resolved. Undefined in a virtual file system, and if the file is not on the disk. */
  realPath?: string;
  /** VS Code's URI of the link target, if it differs from `uri`. */
  targetUri?: vscode.Uri;
  verdict: AccessVerdict;
}

export interface Locator {
  /** As the agent sees it: see `codeAt`. */
  vscode: typeof vscode;
  inputs: AccessInputs;
  policy: Policy;
  place: AgentPlace;
}

/** Only on Windows is a backslash a separator; elsewhere it may be part of a name. */
export const slashed = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;

/** The loaded document of a file, by its own URI or its link target's, whether or not an editor shows it. */
export function openDocument(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.TextDocument | undefined {
  const [name, target] = [uri.toString(), targetUri.toString()];
  for (const document of workspace.textDocuments) {
    const key = document.uri.toString();
    if (!document.isClosed && (key === name || key === target)) return document;
  }
  return undefined;
}

/** The notebook of a file that is open in VS Code. */
export function openNotebook(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.NotebookDocument | undefined {
  const wanted = [uri.toString(), targetUri.toString()];
  return workspace.notebookDocuments.find((notebook) => wanted.includes(notebook.uri.toString()));
}

/** Whether a path is always read as a URI; a relative path may look like one. */
export const isUri = (path: string): boolean => /^([a-z][a-z0-9+.-]+:\/|untitled:)/i.test(path);

/** A file's path in results, accepted by `locate`: with `/`, relative to its folder, after the folder's name if there are several. */
export function displayPath({ vscode: { workspace } }: Pick<Locator, 'vscode'>, uri: vscode.Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return wholePath(uri);
  const folders = workspace.workspaceFolders ?? [];
  const inside = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  if (inside) return pathIn(prefixOf(folder, folders), inside) ?? wholePath(uri);
  return folders.length > 1 ? labelOf(folder, folders) : '.';
}

const wholePath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());

/** A folder's name, or its whole path if the name does not identify it. */
export const labelOf = (
  folder: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string => (isUsable(folder.name, folders) ? folder.name : wholePath(folder.uri));

/** The prefix of paths in a folder; undefined if only whole paths identify its files. */
export function prefixOf(
  { name }: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string | undefined {
  if (folders.length < 2) return '';
  return isUsable(name, folders) ? `${name}/` : undefined;
}

/** A path in a folder with its prefix; undefined if it would be read as something else. */
export const pathIn = (prefix: string | undefined, inside: string): string | undefined =>
  prefix === undefined || isUri(prefix + inside) ? undefined : prefix + inside;

/** The workspace file may give a folder any name, and the same name twice. */
function isUsable(name: string, folders: readonly vscode.WorkspaceFolder[]): boolean {
  const isPlain = !slashed(name).includes('/') && name !== '.' && name !== '..' && visible(name) === name;
  const isOther = isUri(`${name}/`) || isAbsolute(`${name}/`);
  return isPlain && !isOther && folders.filter((folder) => folder.name === name).length === 1;
}
