import { lstatSync, mkdirSync } from 'node:fs';

/**
 * Creates the directory, for this user alone, or checks the one that is there.
 *
 * @param uid the user's, or undefined on Windows, where access is governed by the profile directory
 * @throws Error with the reason and what to do, unless it is the user's own, mode 0700 and no link
 */
export function makePrivateDirectory(path: string, uid: number | undefined): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw refusal(path, 'it is a symbolic link', 'Replace it by a directory.');
  if (uid === undefined) return;
  if (stats.uid !== uid) {
    throw refusal(path, `it belongs to user ${stats.uid}, not ${uid}`, 'Remove it or change its owner.');
  }
  const mode = stats.mode & 0o777;
  if (mode !== 0o700) {
    throw refusal(path, `its mode is 0${mode.toString(8)}, not 0700`, `Run: chmod 700 '${path}'`);
  }
}

const refusal = (path: string, reason: string, remedy: string): Error =>
  new Error(`Workspace MCP does not use the directory ${path}: ${reason}. ${remedy}`);
