import { isAbsolute, posix, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { ifUserError, NotFoundError, reasonOf, UserError } from '../../core/errors.ts';
import { comparable, isWithin, respelled } from '../../core/paths.ts';
import { isMissing } from '../../disk/resolveLinks.ts';
import { withDeadline } from '../../util/deadline.ts';
import { displayPath, isUri, labelOf, openDocument, slashed } from './displayPath.ts';
import type { Location, Locator } from './location.ts';

/**
 * What an agent means by a path: absolute, a URI, or relative to a workspace folder (`folder/…` where there are several).
 *
 * @throws UserError where it is closed or fits several files, NotFoundError where there is nothing
 */
export async function locate(locator: Locator, path: string): Promise<Location> {
  requirePossible(path);
  requireNoNul(path);
  if (isUri(path)) return locateUri(locator, path);
  if (isAbsolute(path)) return locateFile(locator, resolve(path));
  return locateRelative(locator, slashed(path).replace(/^\.\/+/, ''));
}

/** No system takes longer ones, in bytes; Windows counts UTF-16 units, and a URI may spell a byte by three characters. */
const LONGEST_PATH = process.platform === 'win32' ? 32_767 : 4_096;

function requirePossible(path: string): void {
  if (path.length > 3 * LONGEST_PATH)
    throw new UserError(`A path of ${path.length} characters is longer than any that there can be.`);
  if (!path.isWellFormed())
    throw new UserError(
      'A path cannot hold half a character (one of the two UTF-16 units of a surrogate pair).',
    );
}

function requireNoNul(path: string): void {
  if (path.includes('\0')) throw new UserError('A path cannot hold a NUL character.');
}

/** @param text a URI. @throws UserError where it is none, or closed; NotFoundError where there is nothing */
export async function locateUri(locator: Locator, text: string): Promise<Location> {
  requirePossible(text);
  const uri = parseUri(locator.vscode, text);
  requireNoNul(uri.authority + uri.path); // where it was %00
  // Hosts have no case (RFC 3986, 3.2.2).
  if (uri.scheme === 'file' && uri.authority.toLowerCase() === 'localhost')
    return locateFile(locator, resolve(uri.with({ authority: '' }).fsPath));
  if (uri.scheme === 'file' && uri.authority && !namesShare(locator, uri))
    throw hostNamed(locator, text, uri);
  if (uri.scheme === 'file') return locateFile(locator, resolve(uri.fsPath));
  if (uri.scheme === 'untitled') return locateUntitled(locator, uri);
  return locateVirtual(locator, uri.with({ path: posix.normalize(uri.path) }));
}

/** The same for lists that VS Code makes; undefined where this agent may not know of it. */
export const permitted = (locator: Locator, uri: vscode.Uri): Promise<Location | undefined> =>
  locateUri(locator, uri.toString()).catch(ifUserError(undefined));

/** Only Windows has paths with a host, and there too a share is meant only where something on it is open. */
function namesShare({ world }: Locator, { fsPath }: vscode.Uri): boolean {
  const { platform } = process;
  if (platform !== 'win32') return false;
  const open = [
    ...world.folders().flatMap((one) => [one.path, one.realPath]),
    ...world.settings().allowedPaths,
  ];
  return open.some((path) => isWithin(fsPath, path, platform));
}

/** `file://src/a.ts` is how a relative path gets written: between the second slash and the third stands a host (RFC 8089). */
function hostNamed({ vscode: { Uri, workspace } }: Locator, text: string, uri: vscode.Uri): UserError {
  const [folder] = workspace.workspaceFolders ?? [];
  const path = (uri.authority + uri.path).replaceAll('\\', '/').replace(/\/$/, '');
  const isWhole = /^[a-z]:\//i.test(path); // with a drive
  const meant = isWhole || !folder ? Uri.file(`/${path}`) : Uri.joinPath(folder.uri, path);
  return new UserError(
    `"${text}" names a host, "${uri.authority}". The URI of a file has three slashes and the whole path, such as ${meant.toString()}.`,
  );
}

/**
 * A text that the person has not saved yet. One without a name lies nowhere, so only the roots of a client can close it; any
 * other is judged as the file that it is to become.
 */
async function locateUntitled(locator: Locator, uri: vscode.Uri): Promise<Location> {
  if (isUnnamed(uri)) locator.policy.requireUnnamed();
  else {
    const path = policyPath(uri);
    locator.policy.requireNamed(path);
    const { realPath } = await locator.world.resolve(path);
    locator.policy.requireReal(path, realPath);
  }
  if (!openDocument(locator.vscode, { uri }))
    throw new NotFoundError(`No editor has ${uri.toString()} open.`);
  return { uri, path: uri.toString() };
}

/** Virtual file systems have no links to resolve. */
function locateVirtual(locator: Locator, uri: vscode.Uri): Location {
  const folder = locator.vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) throw new UserError(`${uri.toString()} lies outside the workspace folders.`);
  const path = policyPath(uri);
  locator.policy.requireNamed(path);
  locator.policy.requireReal(path, path);
  // To some file systems a query names another file than the path that was judged.
  const bare = uri.with({ query: folder.uri.query, fragment: folder.uri.fragment });
  return { uri: bare, path: displayPath(locator, bare), folder };
}

function parseUri({ Uri }: typeof vscode, text: string): vscode.Uri {
  try {
    // A scheme is the same in either case (RFC 3986, 3.1); VS Code's folders have it in lower case.
    return Uri.parse(
      text.replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.toLowerCase()),
      true,
    );
  } catch {
    // VS Code's own message is for those who know its insides.
    throw new UserError(
      `"${text}" is not a URI. It begins with a scheme; that of a file has three slashes and the whole path, such as file:///home/me/a.ts.`,
    );
  }
}

async function locateFile(locator: Locator, path: string): Promise<Location> {
  if (Buffer.byteLength(path) > LONGEST_PATH)
    throw new UserError(`A path of ${Buffer.byteLength(path)} bytes is longer than any that there can be.`);
  locator.policy.requireNamed(path);
  const named = ofWorkspace(locator, path);
  const { realPath, error } = await locator.world.resolve(path).catch((error) => {
    throw notFound(locator, path, error);
  });
  locator.policy.requireReal(path, realPath);
  const target = ofWorkspace(locator, realPath);
  // Where case does not count, VS Code knows the file by the name it has on the disk.
  const uri = sameName(named, target) ? target : named;
  const folder = locator.vscode.workspace.getWorkspaceFolder(uri);
  const location: Location = { uri, path: displayPath(locator, uri), ...(folder && { folder }) };
  if (!error) return { ...location, realPath, ...(uri !== target && { targetUri: target }) };
  if (openDocument(locator.vscode, location)) return location; // its text is in the editor, though the file is gone
  throw notFound(locator, path, error);
}

export const sameName = (a: vscode.Uri, b: vscode.Uri): boolean =>
  comparable(a.fsPath, process.platform) === comparable(b.fsPath, process.platform);

const notFound = (locator: Locator, path: string, error: NodeJS.ErrnoException): UserError =>
  isMissing(error)
    ? new NotFoundError(`There is no file or folder ${displayPath(locator, locator.vscode.Uri.file(path))}.`)
    : new UserError(`${path} cannot be reached: ${reasonOf(error)}`);

/**
 * VS Code knows a folder by the name it was opened by, which may be a link, or one in another case where case does not
 * count: files in it are named the same way.
 */
export function ofWorkspace({ vscode: { Uri }, world }: Locator, path: string): vscode.Uri {
  const { platform } = process;
  for (const side of ['path', 'realPath'] as const) {
    const folder = world.folders().find((one) => isWithin(path, one[side], platform));
    if (folder) return Uri.file(respelled(path, folder[side], folder.path, platform));
  }
  return Uri.file(path);
}

async function locateRelative(locator: Locator, path: string): Promise<Location> {
  const all = locator.vscode.workspace.workspaceFolders ?? [];
  if (all.length === 0)
    throw new UserError(`No folder is open in this window: name "${path}" by its absolute path.`);
  // Of folders outside of the client's roots nothing is told.
  const entered = all.filter(({ uri }) => locator.policy.mayEnter(policyPath(uri)));
  const folders = entered.length > 0 ? entered : all;
  const refused: unknown[] = [];
  for (const uris of candidates(locator.vscode, folders, path)) {
    const results = await Promise.allSettled(uris.map((uri) => locateIn(locator, uri)));
    const found = unique(results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    if (found.length > 1) throw ambiguous(path, found);
    if (found[0]) return found[0];
    refused.push(...results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  }
  throw refused.find((error) => !(error instanceof NotFoundError)) ?? missing(path, folders);
}

const ambiguous = (path: string, found: readonly Location[]): UserError =>
  new UserError(
    `"${path}" is ambiguous: it fits ${found.map((location) => location.path).join(', ')}. Pass one of these.`,
  );

const missing = (path: string, folders: readonly vscode.WorkspaceFolder[]): NotFoundError =>
  new NotFoundError(
    `There is no file or folder "${path}" in ${folders.map((folder) => labelOf(folder, folders)).join(', ')}. find_files looks one up by a part of its name.`,
  );

/** What a path may mean; what is shown so comes before what is only accepted, or else it would not lead back. */
export function candidates(
  { Uri }: typeof vscode,
  folders: readonly vscode.WorkspaceFolder[],
  path: string,
): vscode.Uri[][] {
  const [first, ...rest] = path.split('/');
  const byName = folders.filter(({ name }) => name === first).map(({ uri }) => Uri.joinPath(uri, ...rest));
  const relative = folders.map(({ uri }) => Uri.joinPath(uri, path));
  return folders.length > 1 ? [byName, relative] : [relative, byName];
}

async function locateIn(locator: Locator, uri: vscode.Uri): Promise<Location> {
  if (uri.scheme === 'file') return locateFile(locator, uri.fsPath);
  const location = locateVirtual(locator, uri);
  await withDeadline(locator.vscode.workspace.fs.stat(uri), `looking for ${location.path}`).catch((error) => {
    if (error instanceof UserError) throw error;
    throw new NotFoundError(`There is no file or folder ${location.path}.`);
  });
  return location;
}

const unique = (locations: Location[]): Location[] => [
  ...new Map(locations.map((location) => [location.uri.toString(), location])).values(),
];
