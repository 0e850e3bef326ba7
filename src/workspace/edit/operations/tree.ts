import { join } from 'node:path';
import { policyPath } from '../../../access/policyInputs.ts';
import type { Guard } from '../../../access/refusals.ts';
import { UserError } from '../../../core/errors.ts';
import { wouldBecomeGit } from '../../../disk/gitParts.ts';
import { withDeadline } from '../../../util/deadline.ts';
import type { Location, Locator } from '../../read/location.ts';
import { madeAt } from './madeFiles.ts';

/** Most files and folders in a folder that an agent may move, copy or delete. */
const MOST = 20_000;

/** Something in a folder. */
export interface Entry {
  /** From the folder on, with `/`. */
  path: string;
  isFolder: boolean;
  isLink: boolean;
}

/**
 * All that is in a folder, each folder before what is in it; links are not followed. Empty for a file.
 *
 * @throws UserError if there is too much, or some of it is closed to the agent
 */
export async function entriesIn(locator: Locator, location: Location): Promise<Entry[]> {
  const { vscode, policy } = locator;
  const { workspace, FileType, Uri } = vscode;
  const entries: Entry[] = [];
  let closed = 0;
  const look = async (folder: string): Promise<void> => {
    const uri = Uri.joinPath(location.uri, folder);
    const found = await withDeadline(workspace.fs.readDirectory(uri), `listing ${location.path}`);
    for (const [name, type] of found.sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const isLink = (type & FileType.SymbolicLink) !== 0;
      const isFolder = !isLink && (type & FileType.Directory) !== 0;
      if (entries.push({ path, isFolder, isLink }) > MOST)
        throw new UserError(`${location.path} holds more than ${MOST} files. Ask the user to do it.`);
      if (!policy.mayList(policyPath(Uri.joinPath(location.uri, path)))) closed++;
      else if (isFolder) await look(path);
    }
  };
  await look('');
  if (await wouldBecomeGit(madeAt(location, true, entries))) closed++; // it is one already
  if (closed > 0)
    throw new UserError(
      `${location.path} holds ${closed} ${closed === 1 ? 'file or folder that is' : 'files or folders that are'} closed to you. Nothing was changed. Ask the user to do it.`,
    );
  return entries;
}

/** Where something is or will be. */
type Place = Pick<Location, 'uri' | 'realPath'>;

/** Finds why the user is asked each time about something in a folder, by all its names. */
export async function guardsIn(
  { world, policy, vscode: { Uri } }: Locator,
  { uri, realPath = uri.fsPath }: Place,
): Promise<(entry: Pick<Entry, 'path' | 'isFolder'>) => Guard | undefined> {
  const guardOf = await world.guards(policy);
  return ({ path, isFolder }) => guardOf(policyPath(Uri.joinPath(uri, path)), join(realPath, path), isFolder);
}

/** Why the user is asked each time about a file or folder, or something in it. */
export async function guardIn(
  locator: Locator,
  place: Place,
  isFolder: boolean,
  entries: readonly Entry[],
): Promise<Guard | undefined> {
  const guardOf = await guardsIn(locator, place);
  const own = guardOf({ path: '', isFolder });
  if (own) return own;
  for (const entry of entries) {
    const inside = guardOf(entry);
    if (inside) return { guarded: inside.guarded };
  }
  return undefined;
}

/** @throws UserError if something is closed to the agent under its new path */
export function requireOpen(
  { policy, vscode: { Uri } }: Locator,
  target: Pick<Location, 'uri' | 'path'>,
  entries: readonly Entry[],
): void {
  const isOpen = ({ path }: Entry) => policy.mayList(policyPath(Uri.joinPath(target.uri, path)));
  if (entries.every(isOpen)) return;
  throw new UserError(
    `${target.path} would hold files that are closed to you there. Nothing was changed. Ask the user to do it.`,
  );
}
