import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../../core/errors.ts';
import { runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { timeout } from '../../util/clock.ts';
import { slashed } from '../read/displayPath.ts';
import { type Excludes, readExcludes } from './excludes.ts';
import { FileList } from './fileList.ts';
import { type ListedFolder, listedFolder } from './listedFile.ts';
import { virtualFiles } from './virtualFiles.ts';

/** How long listing with ripgrep may take, in milliseconds. */
const PATIENCE = 60_000;

/**
 * All files of the workspace folders. If folders are nested, a file is listed only in the innermost.
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
    const folder = listedFolder(code, one, all);
    const excludes = readExcludes(code.workspace, uri);
    const paths = await (ripgrep !== undefined && uri.scheme === 'file'
      ? diskFiles(ripgrep, uri.fsPath, excludes, signal)
      : virtualFiles({ vscode: code, uri, excludes }, signal));
    return { folder, tails: tailsOf(folder, withoutSiblings(excludes, paths)).sort() };
  });
  return new FileList(await Promise.all(parts));
}

/** Paths of all files in a folder on the disk, in no order. @throws CancelledError, UserError */
async function diskFiles(
  executable: string,
  cwd: string,
  { globs }: Excludes,
  stopped: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  if (!existsSync(cwd)) return paths; // one of several folders may have been deleted
  await runRipgrep({
    executable,
    args: ['--files', '--null', '--no-messages', ...scopeArguments(cwd, globs)],
    cwd,
    separator: '\0',
    signal: AbortSignal.any([stopped, timeout(PATIENCE)]),
    onPiece: (path) => void paths.push(slashed(path)),
  }).catch((error) => {
    if (!(error instanceof CancelledError) || stopped.aborted) throw error;
    throw new UserError(
      `Listing the files of ${cwd} took longer than ${PATIENCE / 1000} s. Try again, or ask the user to exclude large folders (setting files.exclude).`,
    );
  });
  return paths;
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
