import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../../core/errors.ts';
import { runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { slashed } from '../read/displayPath.ts';
import type { Excludes } from './excludes.ts';

/** How long listing may take, in milliseconds. */
const PATIENCE = 60_000;

/** A folder on the disk, and the ripgrep that lists it. */
export interface DiskFolder {
  ripgrep: string;
  uri: vscode.Uri;
  excludes: Excludes;
}

/** Paths of all files in a folder on the disk, in no order. @throws CancelledError, UserError */
export async function diskFiles(
  { ripgrep, uri, excludes }: DiskFolder,
  stopped: AbortSignal,
): Promise<string[]> {
  const cwd = uri.fsPath;
  const paths: string[] = [];
  if (!existsSync(cwd)) return paths; // one of several folders may have gone
  await runRipgrep({
    executable: ripgrep,
    args: ['--files', '--null', '--no-messages', ...scopeArguments(cwd, excludes.globs)],
    cwd,
    separator: '\0',
    signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
    onPiece: (path) => {
      paths.push(slashed(path));
    },
  }).catch((error) => {
    if (!(error instanceof CancelledError) || stopped.aborted) throw error;
    throw new UserError(`Listing the files of ${cwd} took longer than ${PATIENCE / 1000} s.`);
  });
  return paths;
}
