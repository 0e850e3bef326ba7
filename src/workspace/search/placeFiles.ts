import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { scopeArguments } from '../../disk/ripgrep.ts';
import { Excludes } from '../list/virtualFiles.ts';
import { displayPath, type Locator, slashed } from '../read/location.ts';
import type { Searched, SearchQuery } from './ripgrepSearch.ts';
import { globsOf } from './scope.ts';

/** Whether a folder's file is listed, or named by include, and has no unsaved text; by its URI. */
export type IsSearched = (key: string, isNamed: boolean) => boolean;

/** A workspace folder, or what is in it and in no list. */
export interface Place {
  folder: vscode.WorkspaceFolder;
  inside?: string;
}

/** The files of a place: ripgrep's arguments, and the file that it means by a path. Undefined if it is on no disk. */
export function filesOf(
  locator: Locator,
  { folder, inside }: Place,
  query: SearchQuery,
  isSearched: IsSearched,
) {
  const { policy, vscode } = locator;
  const { workspace, Uri } = vscode;
  const cwd = folder.uri.fsPath;
  if (folder.uri.scheme !== 'file' || !existsSync(cwd)) return undefined;
  const excludes = new Excludes(workspace, folder.uri);
  const args =
    inside === undefined
      ? [...scopeArguments(cwd, excludes.globs), ...globsOf(query, folder)]
      : [...scopeArguments(cwd, []), '--no-ignore', ...globsOf({ ...query, include: [] }, folder)];
  const find = (named: string): Searched | undefined => {
    const path = slashed(named).replace(/^\.\//, '');
    const uri = Uri.joinPath(folder.uri, path);
    const isOurs = workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString();
    if (!isOurs || !isSearched(uri.toString(), inside !== undefined)) return undefined;
    if (inside === undefined && excludes.bySibling(path, (sibling) => existsSync(join(cwd, sibling))))
      return undefined;
    return policy.mayList(uri.fsPath) ? { path: displayPath(locator, uri), uri } : undefined;
  };
  return { args, find, cwd, top: inside === undefined ? '.' : `./${inside}` };
}
