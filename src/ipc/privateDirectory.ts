import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { commandLine } from '../core/shell.ts';
import { explained } from './fileErrors.ts';

/**
 * Creates the directory, for this user alone, or checks the one that is there.
 *
 * @param uid the user's, or undefined on Windows, where access is governed by the profile directory
 * @throws Error with the reason and what to do, unless it is the user's own, mode 0700 and no link
 */
export function makePrivateDirectory(path: string, uid: number | undefined): void {
  try {
    // What is there is looked at, not made: a link that leads nowhere, or a file, says more than `EEXIST`.
    if (!lstatSync(path, { throwIfNoEntry: false })) make(path);
  } catch (error) {
    throw refusal(path, explained(error).message);
  }
  const problem = directoryProblem(path, uid);
  if (problem !== undefined) throw new Error(problem);
}

/** With the directories on the way. @throws Error of the system with the reason */
function make(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    mkdirSync(path, { mode: 0o700 }); // of a file system that is read-only, Node says by itself that something is missing
  }
}

/**
 * Why a directory that is there is not used, and what to do; undefined where it is the user's alone, or missing. What
 * belongs to somebody else, or can be written by them, may name windows of theirs.
 *
 * @param uid as for {@link makePrivateDirectory}
 */
export function directoryProblem(path: string, uid: number | undefined): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return refusal(path, explained(error).message).message;
  }
  const fault = stats && faultOf(stats, path, uid);
  return fault && refusal(path, fault).message;
}

function faultOf(stats: Stats, path: string, uid: number | undefined): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link. Replace it by a directory.';
  if (!stats.isDirectory()) return 'it is not a directory. Remove it.';
  if (uid === undefined) return undefined;
  if (stats.uid !== uid) return `it belongs to user ${stats.uid}, not ${uid}. Remove it or change its owner.`;
  const mode = stats.mode & 0o777;
  return mode === 0o700
    ? undefined
    : `its mode is 0${mode.toString(8)}, not 0700. Run: ${commandLine(['chmod', '700', path], 'posix')}`;
}

const refusal = (path: string, reason: string): Error =>
  new Error(`Workspace MCP does not use the directory ${path}: ${reason}`);
