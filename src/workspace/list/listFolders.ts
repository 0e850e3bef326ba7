import type * as vscode from 'vscode';
import { diskFiles } from './diskFiles.ts';
import { type Excludes, readExcludes } from './excludes.ts';
import { FileList } from './fileList.ts';
import { ListedFolder } from './listedFile.ts';
import { virtualFiles } from './virtualFiles.ts';

/**
 * All files of the workspace folders. A file of nested folders is listed once, as one of the innermost.
 *
 * @param ripgrep undefined if this build of VS Code has none
 * @throws CancelledError, UserError
 */
export async function listFolders(
  code: typeof vscode,
  ripgrep: string | undefined,
  signal: AbortSignal,
): Promise<FileList> {
  const all = code.workspace.workspaceFolders ?? [];
  const parts = all.map(async (one) => {
    const { uri } = one;
    const folder = new ListedFolder(code.Uri, one, all);
    const excludes = readExcludes(code.workspace, uri);
    const paths = await (ripgrep !== undefined && uri.scheme === 'file'
      ? diskFiles({ ripgrep, uri, excludes }, signal)
      : virtualFiles({ vscode: code, uri, excludes }, signal));
    return { folder, tails: tailsOf(folder, withoutSiblings(excludes, paths)).sort() };
  });
  return new FileList(await Promise.all(parts));
}

function withoutSiblings({ hasConditions, bySibling }: Excludes, paths: string[]): string[] {
  if (!hasConditions) return paths;
  const known = new Set(paths);
  return paths.filter((path) => !bySibling(path, (sibling) => known.has(sibling)));
}

function tailsOf(folder: ListedFolder, paths: readonly string[]): string[] {
  const tails = paths.map((path) => folder.tailOf(path));
  return folder.nested.length === 0 ? tails : tails.filter((tail) => folder.isInnermostOf(tail));
}
