import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../../core/errors.ts';
import { runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { slashed } from '../read/displayPath.ts';
import type { Excludes } from './excludes.ts';

/** How long listing may take, in milliseconds. */
export const PATIENCE = 60_000;

/** The folder that is listed, and by what. */
export interface DiskFolder {
  ripgrep: string;
  uri: vscode.Uri;
  excludes: Excludes;
}

/** Paths of all files in a folder on the disk, in no order. @throws CancelledError, UserError */
export async function filesOnDisk(folder: DiskFolder, stopped: AbortSignal): Promise<string[]> {
  const paths = await list(folder, [], stopped);
  const { hasConditions, bySibling } = folder.excludes;
  if (!hasConditions) return paths;
  const known = new Set(paths);
  return paths.filter((path) => !bySibling(path, (sibling) => known.has(sibling)));
}

/**
 * Of the files at some places, and in them where they are folders, those that are listed: perhaps with others that
 * are as well. One run of ripgrep, so that no other has to know what ignore files say, and it walks no other way.
 *
 * @param places paths in the folder
 */
export async function filesAt(
  folder: DiskFolder,
  places: readonly string[],
  stopped: AbortSignal,
): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'workspace-mcp-'));
  try {
    const rules = join(directory, 'ignore');
    await writeFile(rules, onlyAt(places));
    return await list(folder, ['--ignore-file', rules], stopped);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Rules that leave out all but some places. An ignore file named to ripgrep is the weakest: what the folder's own leave out
 * stays out. Characters that mean something there, and those of several bytes, are any: what fits besides is listed anyway.
 */
export function onlyAt(places: readonly string[]): string {
  const rules = new Set(['*']);
  for (const place of places) {
    const path = place.replace(/[^\w./-]+/g, '*');
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      rules.add(`!/${path.slice(0, slash)}/`);
    rules.add(`!/${path}`).add(`!/${path}/**`);
  }
  return `${[...rules].join('\n')}\n`;
}

async function list({ ripgrep, uri, excludes }: DiskFolder, more: readonly string[], stopped: AbortSignal) {
  const cwd = uri.fsPath;
  const paths: string[] = [];
  if (!existsSync(cwd)) return paths; // one of several folders may have gone
  await runRipgrep({
    executable: ripgrep,
    args: ['--files', '--null', '--no-messages', ...scopeArguments(cwd, excludes.globs), ...more],
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
