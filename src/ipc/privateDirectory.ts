import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { commandLine } from '../core/shell.ts';
import { explained } from './replaceFile.ts';

/**
 * Creates the directory for this user only, or checks the existing one.
 *
 * @param uid the user's, or undefined on Windows: there the profile directory governs access
 * @throws Error with the reason and what to do, unless the user owns it, its mode is 0700 and it is not a link
 */
export function makePrivateDirectory(path: string, uid: number | undefined): void {
  try {
    // If something exists, the check below gives a better error than `EEXIST`.
    if (!lstatSync(path, { throwIfNoEntry: false })) make(path);
  } catch (error) {
    throw new Error(refusal(path, explained(error).message));
  }
  const problem = directoryProblem(path, uid);
  if (problem !== undefined) throw new Error(problem);
}

/** Creates parent directories too. @throws Error of the system with the reason */
function make(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    mkdirSync(path, { mode: 0o700 }); // gives the right error on a read-only file system: recursive mkdir reports ENOENT there
  }
}

/**
 * Why an existing directory is not used, and what to do. Undefined if only the user can access it, or it is missing. Other
 * users with write access could plant records of their own windows.
 *
 * @param uid as for {@link makePrivateDirectory}
 */
export function directoryProblem(path: string, uid: number | undefined): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const fault = stats && faultOf(stats, path, uid);
    return fault && refusal(path, fault);
  } catch (error) {
    return refusal(path, explained(error).message);
  }
}

function faultOf(stats: Stats, path: string, uid: number | undefined): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link. Replace it with a directory.';
  if (!stats.isDirectory()) return 'it is not a directory. Remove it.';
  if (uid === undefined) return undefined;
  if (stats.uid !== uid) return `it belongs to user ${stats.uid}, not ${uid}. Remove it or change its owner.`;
  const mode = stats.mode & 0o777;
  return mode === 0o700
    ? undefined
    : `its mode is 0${mode.toString(8)}, not 0700. Run: ${commandLine(['chmod', '700', path], 'posix')}`;
}

const refusal = (path: string, reason: string): string =>
  `Workspace MCP does not use the directory ${path}: ${reason}`;

/**
 * Why a file is not used, and what to do. Undefined if the user owns it and nobody else can write it: a writer decides where
 * this user's agents connect.
 *
 * @param uid the user's, or undefined on Windows: there the profile directory governs access
 */
export function ownerProblem(stats: Stats, path: string, uid: number | undefined): string | undefined {
  if (uid === undefined) return undefined;
  const remedy = 'and is not used. Remove it, then reload the window.';
  if (stats.uid !== uid) return `${path} belongs to user ${stats.uid}, not ${uid}, ${remedy}`;
  const mode = stats.mode & 0o777;
  return (mode & 0o022) === 0
    ? undefined
    : `${path} can be written by others (mode 0${mode.toString(8)}), ${remedy}`;
}
