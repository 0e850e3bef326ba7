import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { comparable, isWithin, respelled } from '../core/paths.ts';
import { NotFoundError, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import type { Policy } from './policy.ts';
import { policyPath, type World } from './world.ts';

/** A file or folder that the policy has let pass. */
export interface Location {
  uri: vscode.Uri;
  /** As results name it: relative to its workspace folder, with the folder's name in front where there are several. */
  path: string;
  folder?: vscode.WorkspaceFolder;
  /** Absolute, all links resolved. Undefined in a virtual file system, and for a text that is not on the disk. */
  realPath?: string;
  /** What VS Code calls the file that links lead to, where that is another one than `uri`. */
  targetUri?: vscode.Uri;
}

export interface Locator {
  vscode: typeof vscode;
  world: World;
  policy: Policy;
}

/**
 * What an agent means by a path: absolute, a URI, or relative to a workspace folder (`folder/…` where there are several).
 *
 * @throws UserError where it is closed or fits several files, NotFoundError where there is nothing
 */
export async function locate(locator: Locator, path: string): Promise<Location> {
  if (path.includes('\0')) throw new UserError('A path cannot hold a NUL character.');
  if (/^([a-z][a-z0-9+.-]+:\/|untitled:)/i.test(path)) return locateUri(locator, path);
  if (isAbsolute(path)) return locateFile(locator, resolve(path));
  return locateRelative(locator, slashed(path).replace(/^\.\/+/, ''));
}

/** @param text a URI. @throws UserError where it is none, or closed; NotFoundError where there is nothing */
export async function locateUri(locator: Locator, text: string): Promise<Location> {
  const uri = parseUri(locator.vscode, text);
  if (uri.scheme === 'file' && uri.authority === 'localhost')
    return locateFile(locator, resolve(uri.with({ authority: '' }).fsPath));
  if (uri.scheme === 'file' && uri.authority && !namesShare(locator, uri)) {
    // No host is meant: `file://src/a.ts` is how a relative path gets written.
    return locateRelative(locator, (uri.authority + uri.path).replace(/\/$/, ''));
  }
  if (uri.scheme === 'file') return locateFile(locator, resolve(uri.fsPath));
  if (uri.scheme === 'untitled') return locateUntitled(locator, uri);
  return locateVirtual(locator, uri.with({ path: posix.normalize(uri.path) }));
}

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

/** A text that the person has not given a name yet: it lies nowhere, so only the roots of a client can close it. */
function locateUntitled(locator: Locator, uri: vscode.Uri): Location {
  locator.policy.requireUnnamed();
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
  return { uri, path: displayPath(locator, uri), folder };
}

function parseUri({ Uri }: typeof vscode, text: string): vscode.Uri {
  try {
    // A scheme is the same in either case (RFC 3986, 3.1); VS Code's folders have it in lower case.
    return Uri.parse(
      text.replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.toLowerCase()),
      true,
    );
  } catch (error) {
    throw new UserError(`"${text}" is not a URI: ${(error as Error).message}`);
  }
}

async function locateFile(locator: Locator, path: string): Promise<Location> {
  locator.policy.requireNamed(path);
  const named = ofWorkspace(locator, path);
  const { realPath, error } = await resolveLinks(path).catch((error) => {
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

/**
 * The path with all links resolved, as far as it exists: so a link that leads outside is seen even where nothing is at
 * its end, and no answer tells what does exist there.
 */
async function resolveLinks(path: string): Promise<{ realPath: string; error?: NodeJS.ErrnoException }> {
  try {
    return { realPath: await realpath(path) };
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error as NodeJS.ErrnoException) || parent === path) throw error;
    const { realPath } = await resolveLinks(parent);
    return { realPath: join(realPath, basename(path)), error: error as NodeJS.ErrnoException };
  }
}

const isMissing = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR';

const sameName = (a: vscode.Uri, b: vscode.Uri): boolean =>
  comparable(a.fsPath, process.platform) === comparable(b.fsPath, process.platform);

const notFound = (locator: Locator, path: string, error: NodeJS.ErrnoException): UserError =>
  isMissing(error)
    ? new NotFoundError(`There is no file or folder ${displayPath(locator, locator.vscode.Uri.file(path))}.`)
    : new UserError(`${path} cannot be reached: ${error.message}`);

/**
 * VS Code knows a folder by the name it was opened by, which may be a link, or one in another case where case does not
 * count: files in it are named the same way.
 */
function ofWorkspace({ vscode: { Uri }, world }: Locator, path: string): vscode.Uri {
  const { platform } = process;
  for (const side of ['path', 'realPath'] as const) {
    const folder = world.folders().find((one) => isWithin(path, one[side], platform));
    if (folder) return Uri.file(respelled(path, folder[side], folder.path, platform));
  }
  return Uri.file(path);
}

async function locateRelative(locator: Locator, path: string): Promise<Location> {
  const folders = locator.vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new UserError(`No folder is open in this window: name "${path}" by its absolute path.`);
  const results = await Promise.allSettled(
    candidates(locator.vscode, folders, path).map((uri) => locateIn(locator, uri)),
  );
  const found = unique(
    results.filter((result) => result.status === 'fulfilled').map((result) => result.value),
  );
  if (found.length === 1 && found[0]) return found[0];
  if (found.length > 1) {
    const names = found.map((location) => location.path).join(', ');
    throw new UserError(`"${path}" is ambiguous: it fits ${names}. Put the folder's name in front.`);
  }
  const refused = results.map((result) => (result as PromiseRejectedResult).reason);
  throw refused.find((error) => !(error instanceof NotFoundError)) ?? missing(path, folders);
}

const missing = (path: string, folders: readonly vscode.WorkspaceFolder[]): NotFoundError =>
  new NotFoundError(
    `There is no file or folder "${path}" in ${folders.map(({ name }) => name).join(', ')}. find_files looks one up by a part of its name.`,
  );

function candidates(
  { Uri }: typeof vscode,
  folders: readonly vscode.WorkspaceFolder[],
  path: string,
): vscode.Uri[] {
  const [first, ...rest] = path.split('/');
  const named = folders.filter(({ name }) => name === first).map(({ uri }) => Uri.joinPath(uri, ...rest));
  return [...named, ...folders.map(({ uri }) => Uri.joinPath(uri, path))];
}

/** On Windows both slashes part names; elsewhere a backslash may stand in one. */
export const slashed = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;

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

/** The open document of a file, by its own name or by the one that links lead to, whether or not an editor shows it. */
export function openDocument(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.TextDocument | undefined {
  const wanted = [uri.toString(), targetUri.toString()];
  return workspace.textDocuments.find(
    (document) => !document.isClosed && wanted.includes(document.uri.toString()),
  );
}

/** How results name a file: with `/`, relative to its folder, the folder's name in front where there are several. */
export function displayPath({ vscode: { workspace } }: Pick<Locator, 'vscode'>, uri: vscode.Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return uri.scheme === 'file' ? uri.fsPath : uri.toString();
  const inside = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  if ((workspace.workspaceFolders?.length ?? 0) > 1) return inside ? `${folder.name}/${inside}` : folder.name;
  return inside || '.';
}
