import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { ifUserError, NotFoundError, UserError } from '../../core/errors.ts';
import { otherSpelling } from '../../core/otherSpelling.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import { locateFile, locateUri, locateVirtual, requireNoNul, requirePossible } from './locateUri.ts';
import { isUri, type Location, type Locator, labelOf, slashed } from './location.ts';

/**
 * Resolves a path from an agent: absolute, a URI, or relative to a workspace folder (`folder/…` if there are several). If nothing
 * is there, the path may be in the spelling of another system.
 *
 * @param isShown a result shows this path: it is none in the agent's own directory
 * @throws UserError if it is closed or matches several files, NotFoundError if nothing is there
 */
export async function locate(locator: Locator, path: string, isShown = false): Promise<Location> {
  try {
    return await locateAsWritten(locator, path, isShown);
  } catch (error) {
    const meant = error instanceof UserError ? otherSpelling(path) : undefined;
    const location = meant && (await locateAsWritten(locator, meant, isShown).catch(ifUserError(undefined)));
    if (!location) throw error;
    return { ...location, note: `Its path here is ${visible(location.path)}.` };
  }
}

/** Locates a path that may be new: as this system spells it. @throws UserError, NotFoundError */
export async function locateAsWritten(locator: Locator, path: string, isShown = false): Promise<Location> {
  requirePossible(path);
  requireNoNul(path);
  if (isUri(path)) return locateUri(locator, path);
  if (isAbsolute(path)) return locateFile(locator, resolve(path));
  return locateRelative(locator, slashed(path).replace(/^\.\/+/, ''), isShown);
}

async function locateRelative(locator: Locator, path: string, isShown: boolean): Promise<Location> {
  const all = locator.vscode.workspace.workspaceFolders ?? [];
  if (all.length === 0)
    throw new UserError(
      `No folder is open in this window, so "${path}" cannot be found. Ask the user to open the folder, or call select_window.`,
    );
  // Folders outside the client's roots are not mentioned.
  const entered = all.filter(({ uri }) => locator.policy.mayEnter(policyPath(uri)));
  const folders = entered.length > 0 ? entered : all;
  const refused: unknown[] = [];
  const own = isShown ? undefined : await inOwnDirectory(locator, path);
  for (const group of candidates(folders, path)) {
    const found = await locateAll(locator, group, refused);
    const theOne = found.length > 1 ? inOwnFolder(locator, found) : found[0];
    if (theOne && own && !isTop(path) && own.uri.toString() !== theOne.uri.toString())
      throw ambiguousPlace(path, theOne, own);
    if (theOne) return theOne;
    if (found.length > 1) throw ambiguous(path, found);
  }
  if (own?.isOpen) return own.isOpen;
  throw refused.find((error) => !(error instanceof NotFoundError)) ?? missing(path, folders);
}

/** What is there, each file once. @param refused gets the errors of the others */
async function locateAll(locator: Locator, group: readonly Candidate[], refused: unknown[]) {
  const found = new Map<string, Location>();
  for (const candidate of group)
    try {
      const location = await locateIn(locator, candidate);
      found.set(location.uri.toString(), location);
    } catch (error) {
      refused.push(error);
    }
  return [...found.values()];
}

/** Without a name it is the workspace folder: results are relative to that. */
const isTop = (path: string): boolean => /^\.?\/?$/.test(path);

type OwnPath = Pick<Location, 'uri' | 'path'> & { isOpen?: Location };

/** What a path means in the agent's own directory, which may not be open here. */
async function inOwnDirectory(locator: Locator, path: string): Promise<OwnPath | undefined> {
  const place = locator.place.now;
  if (!place || place.kind === 'checkout') return undefined;
  const whole = resolve(place.path, path);
  if (place.kind === 'inside') {
    const location = await locateFile(locator, whole).catch(ifUserError(undefined));
    return location && { ...location, isOpen: location };
  }
  const uri = locator.vscode.Uri.file(whole);
  return existsSync(whole) ? { uri, path: whole } : undefined;
}

/** The one in the folder that the agent works in. */
function inOwnFolder(locator: Locator, found: readonly Location[]): Location | undefined {
  const place = locator.place.now;
  const folder = place && locator.vscode.workspace.getWorkspaceFolder(locator.vscode.Uri.file(place.path));
  const own = found.filter((location) => folder && location.folder?.uri.toString() === folder.uri.toString());
  return own.length === 1 ? own[0] : undefined;
}

/** The absolute path of a folder's file: the relative one stays ambiguous. */
function ambiguousPlace(path: string, { uri }: Location, own: OwnPath): UserError {
  const there = own.isOpen
    ? `, and in your directory ${own.path}`
    : `. Your own ${own.path} is not open in this window`;
  return new UserError(
    `"${path}" is ambiguous: in the workspace folder ${uri.fsPath}${there}. Pass one of these.`,
  );
}

const ambiguous = (path: string, found: readonly Location[]): UserError =>
  new UserError(
    `"${path}" is ambiguous: it matches ${found.map((location) => location.path).join(', ')}. Pass one of these.`,
  );

const missing = (path: string, folders: readonly vscode.WorkspaceFolder[]): NotFoundError =>
  new NotFoundError(
    `There is no file or folder "${path}" in ${folders.map((folder) => labelOf(folder, folders)).join(', ')}. Use find_files to search by part of the name.`,
  );

interface Candidate {
  folder: vscode.Uri;
  inside: string;
}

/** What a path may mean. Forms used in results come before forms only accepted, so that paths from results always work. */
export function* candidates(
  folders: readonly vscode.WorkspaceFolder[],
  path: string,
): Generator<Candidate[]> {
  const relative = () => folders.map(({ uri }) => ({ folder: uri, inside: path }));
  if (folders.length === 1) yield relative();
  const [first = '', ...rest] = path.split('/');
  const named = folders.filter(({ name }) => name === first);
  yield named.map(({ uri }) => ({ folder: uri, inside: rest.join('/') }));
  if (folders.length > 1) yield relative();
}

async function locateIn(locator: Locator, { folder, inside }: Candidate): Promise<Location> {
  if (folder.scheme === 'file') return locateFile(locator, join(folder.fsPath, inside));
  const uri = locator.vscode.Uri.joinPath(folder, inside);
  const location = locateVirtual(locator, uri);
  await withDeadline(locator.vscode.workspace.fs.stat(uri), `looking for ${location.path}`).catch((error) => {
    if (error instanceof UserError) throw error;
    throw new NotFoundError(`There is no file or folder ${location.path}.`);
  });
  return location;
}
