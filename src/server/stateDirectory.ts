import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWithin } from '../core/paths.ts';
import { makePrivateDirectory } from '../ipc/privateDirectory.ts';
import { HOME_VARIABLE, windowsDirectory } from '../ipc/windowRecord.ts';
import { realPathOf } from '../util/diskPaths.ts';

/**
 * Creates or checks the state directory. It contains the tokens of all windows and the shim, so neither other users nor
 * agents (through a workspace folder) may access it.
 *
 * @param folderPaths paths of the workspace folders
 * @throws Error with the reason and what to do
 */
export function prepareStateDirectory(home: string, folderPaths: string[]): void {
  refuseWithinFolders(home, folderPaths);
  const uid = process.getuid?.();
  makePrivateDirectory(home, uid);
  makePrivateDirectory(windowsDirectory(home), uid);
  // Again with the real path: the directory may be behind a link.
  refuseWithinFolders(realpathSync.native(home), folderPaths);
}

function refuseWithinFolders(home: string, folderPaths: string[]): void {
  const holder = folderPaths.find((folder) =>
    [resolve(folder), realPathOf(folder)].some((path) => isWithin(resolve(home), path, process.platform)),
  );
  if (holder === undefined) return;
  throw new Error(
    `Workspace MCP does not keep its state in ${home}: it is inside the workspace folder ${holder}, so agents could access it. ` +
      `Set ${HOME_VARIABLE} to a directory outside the workspace, for VS Code and for the agents.`,
  );
}
