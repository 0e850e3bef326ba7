import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type * as vscode from 'vscode';
import type { Uri } from 'vscode';
import { policyPath } from '../../../access/policyInputs.ts';
import { ifUserError, NotFoundError, UserError, unlessUserError } from '../../../core/errors.ts';
import { otherSpelling } from '../../../core/otherSpelling.ts';
import { impossibleName } from '../../../core/paths.ts';
import { withDeadline } from '../../../util/clock.ts';
import { literalPaths } from '../../../util/diskPaths.ts';
import { fileStat } from '../../read/diskFile.ts';
import { locateAsWritten } from '../../read/locate.ts';
import { parseUri } from '../../read/locateUri.ts';
import {
  displayPath,
  isUri,
  type Location,
  type Locator,
  openDocument,
  slashed,
} from '../../read/location.ts';
import type { KeptFile } from '../journal.ts';

/** Empty folders above that go too, the innermost first. */
interface Leaving {
  folders?: readonly Uri[];
}

/** A change of files other than the text in them. */
export type Operation =
  /** A text file; folders above it are created too. The text is written as it is; `from` is what it was made from, and has its permissions. */
  | { type: 'create'; target: NewPath; text: string; from?: { location: Location; text: string } }
  | { type: 'create_folder'; target: NewPath }
  /** Open editors and unsaved text move along; links, and folders with files that are closed to the agent, are refused. */
  | ({ type: 'move'; location: Location; target: NewPath } & Leaving)
  | { type: 'copy'; location: Location; target: NewPath }
  /** Refused if there is anything else than `only`. */
  | ({ type: 'delete'; location: Location; only?: readonly KeptFile[] } & Leaving)
  /** What was deleted. */
  | { type: 'restore'; target: NewPath; files: readonly KeptFile[] };

export function placesOf(operation: Operation): (Location | NewPath)[] {
  if ('target' in operation && 'location' in operation)
    return operation.type === 'move' ? [operation.location, operation.target] : [operation.target];
  return ['target' in operation ? operation.target : operation.location];
}

/** A path at which nothing is yet, and where this agent may create something. */
export interface NewPath {
  uri: vscode.Uri;
  /** As results name it. */
  path: string;
  /** What its path will be with all links resolved. Undefined in a virtual file system. */
  realPath?: string;
}

/**
 * Where something is to be created: a path as agents write it. Folders above it may be missing.
 *
 * @param source what is moved there: on some disks its path in other case is the same path
 * @throws UserError if something is there, it is closed to the agent, or written as on another system
 */
export async function locateNew(locator: Locator, path: string, source?: Location): Promise<NewPath> {
  const meant = otherSpelling(path);
  if (meant !== undefined) await requireOwnSpelling(locator, path, meant);
  return locateTarget(locator, path, source);
}

/** No file gets a name with the backslashes, drive, quotes or blanks of another spelling. @throws UserError */
async function requireOwnSpelling(locator: Locator, path: string, meant: string): Promise<void> {
  const [own, other] = await Promise.all(
    [path, meant].map((one) => nearestFolder(locator, one).catch(ifUserError(undefined))),
  );
  if (own ? otherSpelling(own.names.join('/')) === undefined : !other) return;
  const advice = other
    ? `Pass "${displayPath(locator, locator.vscode.Uri.joinPath(other.folder.uri, ...other.names))}".`
    : 'Pass one with "/", relative to a workspace folder or absolute.';
  throw new UserError(`"${path}" is not a path of this machine. Nothing was created. ${advice}`);
}

/** A new path in the spelling of this system, or a URI of VS Code. */
export async function locateTarget(locator: Locator, path: string, source?: Location): Promise<NewPath> {
  const { folder, names } = await nearestFolder(locator, withoutFragment(locator, path));
  if (names.some((name) => /^\.{0,2}$/.test(name)))
    throw new UserError(`"${path}" cannot be created: pass a path without "//", "." and "..".`);
  if (folder.uri.scheme === 'file') for (const name of names) requirePossibleName(name);
  const uri = locator.vscode.Uri.joinPath(folder.uri, ...names);
  const realPath = folder.realPath && join(folder.realPath, ...names);
  locator.policy.requireNamed(policyPath(uri));
  locator.policy.requireReal(policyPath(uri), realPath ?? policyPath(uri));
  const target: NewPath = { uri, path: displayPath(locator, uri), ...(realPath && { realPath }) };
  const isTaken = names.length === 0 || (await isThere(locator, uri));
  const isSource =
    isTaken && source?.realPath && (await locator.inputs.resolve(uri.fsPath)).realPath === source.realPath;
  if (isTaken && !isSource)
    throw new UserError(`There is already a file or folder ${target.path}. Nothing was changed.`);
  return target;
}

/** @throws UserError if the system would make a file of another name, or none */
function requirePossibleName(name: string): void {
  const reason = impossibleName(name, process.platform);
  if (reason) throw new UserError(`No file can be called "${name}": ${reason}. Choose another name.`);
}

/** What is new has neither query nor fragment: `#` and `?` in a file URI are part of its path. */
function withoutFragment({ vscode }: Locator, path: string): string {
  if (!isUri(path)) return path;
  const { query, fragment } = parseUri(vscode, path);
  return (query || fragment ? literalPaths(path).at(-1) : undefined) ?? path;
}

/** The nearest folder above a path that exists, and the names from there. @throws UserError, NotFoundError */
async function nearestFolder(locator: Locator, path: string): Promise<{ folder: Location; names: string[] }> {
  const uri = isUri(path) ? parseUri(locator.vscode, path) : undefined;
  const [whole, start] = uri ? [uri.path, '/'] : [slashed(path).replace(/^(\.\/+)+/, ''), '.'];
  const names: string[] = [];
  for (let at = whole.replace(/\/$/, ''); ; at = posix.dirname(at)) {
    const folder = await locateAsWritten(locator, uri ? uri.with({ path: at }).toString() : at).catch(
      (error) => {
        if (!(error instanceof NotFoundError) || posix.dirname(at) === at || at === start) throw error;
        return undefined;
      },
    );
    if (folder && at === '.' && locator.place.now && locator.place.now.kind !== 'checkout')
      throw new UserError(
        `"${path}" may be new in the workspace folder ${folder.uri.fsPath} or in your directory ${locator.place.now.path}. Pass the absolute path.`,
      );
    if (folder && !isGone(locator, folder))
      return { folder: await requireFolder(locator, folder, names), names };
    names.unshift(posix.basename(at));
  }
}

/** Whether only VS Code has its last text, which was saved. @throws UserError if it was not */
function isGone({ vscode }: Locator, location: Location): boolean {
  if (location.uri.scheme !== 'file' || location.realPath !== undefined) return false;
  if (!openDocument(vscode, location)?.isDirty) return true;
  throw new UserError(
    `The file of ${location.path} is gone, but VS Code has unsaved text for it. Ask the user.`,
  );
}

async function requireFolder(locator: Locator, location: Location, names: readonly string[]) {
  const stat = await fileStat(locator.vscode, location.uri);
  if (names.length > 0 && !stat?.isFolder)
    throw new UserError(`${location.path} is not a folder, so nothing can be created in it.`);
  return location;
}

/** A link that leads nowhere is there too. */
async function isThere({ vscode: { workspace } }: Locator, uri: vscode.Uri): Promise<boolean> {
  const looking = uri.scheme === 'file' ? lstat(uri.fsPath) : workspace.fs.stat(uri);
  const there = withDeadline<unknown>(looking, `looking at ${uri.path}`).then(() => true);
  return there.catch(unlessUserError(() => false));
}
