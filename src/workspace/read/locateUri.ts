import { posix, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { ifUserError, NotFoundError, reasonOf, UserError } from '../../core/errors.ts';
import { comparable, isWithin, respelled } from '../../core/paths.ts';
import { isMissing, literalPaths } from '../../util/diskPaths.ts';
import { oncePer } from '../../util/once.ts';
import {
  type AccessVerdict,
  displayPath,
  isLastText,
  type Location,
  type Locator,
  openDocument,
} from './location.ts';

/** The longest path of any system, in bytes; Windows counts UTF-16 units. A URI may write a byte as three characters. */
const LONGEST_PATH = process.platform === 'win32' ? 32_767 : 4_096;

/** @throws UserError if no system has such a path */
export function requirePossible(path: string): void {
  if (path.length > 3 * LONGEST_PATH)
    throw new UserError(`The path is too long (${path.length} characters). Pass a shorter one.`);
  if (!path.isWellFormed())
    throw new UserError('A path must not contain an unpaired surrogate (half of a UTF-16 pair).');
}

/** @throws UserError */
export function requireNoNul(path: string): void {
  if (path.includes('\0')) throw new UserError('A path must not contain a NUL character.');
}

/** @param text a URI. @throws UserError if it is not a URI or is closed; NotFoundError if nothing is there */
export async function locateUri(locator: Locator, text: string): Promise<Location> {
  requirePossible(text);
  const uri = parseUri(locator.vscode, text);
  requireNoNul(uri.authority + uri.path); // decoded from %00
  // Hosts are case-insensitive (RFC 3986, 3.2.2).
  if (uri.scheme === 'file' && uri.authority.toLowerCase() === 'localhost')
    return locateFileUri(locator, text, uri.with({ authority: '' }));
  if (uri.scheme === 'file' && uri.authority && !namesShare(locator, uri))
    throw hostNamed(locator, text, uri);
  if (uri.scheme === 'file') return locateFileUri(locator, text, uri);
  if (uri.scheme === 'untitled') return locateUntitled(locator, uri);
  return locateVirtual(locator, uri.with({ path: posix.normalize(uri.path) }));
}

/** Some clients encode nothing, or not all: `#`, `?` and `%` are part of the path if that is what is there. */
async function locateFileUri(locator: Locator, text: string, uri: vscode.Uri): Promise<Location> {
  const literal = literalPaths(text).filter((path) => path !== uri.fsPath);
  const isEncoded = !uri.fragment && !uri.query;
  const refused: unknown[] = [];
  for (const path of isEncoded ? [uri.fsPath, ...literal] : [...literal, uri.fsPath])
    try {
      return await locateFile(locator, resolve(path));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      refused.push(error);
    }
  throw refused.at(isEncoded ? 0 : -1);
}

/** Locates a URI from VS Code; undefined if it is closed to this agent or gone. */
export const permitted = (locator: Locator, uri: vscode.Uri): Promise<Location | undefined> =>
  locateUri(locator, uri.toString()).catch(ifUserError(undefined));

/** Only Windows has paths with a host; a share is accepted only if a folder or allowed path on it is open. */
function namesShare({ inputs }: Locator, { fsPath }: vscode.Uri): boolean {
  const { platform } = process;
  if (platform !== 'win32') return false;
  const open = [
    ...inputs.rules.folders.flatMap((one) => [one.path, one.realPath]),
    ...inputs.rules.settings.allowedPaths,
  ];
  return open.some((path) => isWithin(fsPath, path, platform));
}

/** Agents write relative paths as `file://src/a.ts`, but the text after the second slash is a host (RFC 8089). */
function hostNamed({ vscode: { Uri, workspace } }: Locator, text: string, uri: vscode.Uri): UserError {
  const [folder] = workspace.workspaceFolders ?? [];
  const path = (uri.authority + uri.path).replaceAll('\\', '/').replace(/\/$/, '');
  const isWhole = /^[a-z]:\//i.test(path); // with a drive
  const meant = isWhole || !folder ? Uri.file(`/${path}`) : Uri.joinPath(folder.uri, path);
  return new UserError(
    `"${text}" names a host, "${uri.authority}". A file URI has three slashes and the absolute path, such as ${meant.toString()}.`,
  );
}

/**
 * An untitled document. Without a file name, only the client's roots can close it. With one, the policy checks that future
 * file.
 */
async function locateUntitled(locator: Locator, uri: vscode.Uri): Promise<Location> {
  if (isUnnamed(uri)) locator.policy.requireUnnamed();
  else {
    const path = policyPath(uri);
    locator.policy.requireNamed(path);
    const { realPath } = await locator.inputs.resolve(path);
    locator.policy.requireNamed(path); // rules may have changed meanwhile
    locator.policy.requireReal(path, realPath);
  }
  if (!openDocument(locator.vscode, { uri }))
    throw new NotFoundError(`No editor has ${uri.toString()} open.`);
  return { uri, path: uri.toString(), verdict: verdictOn(locator, uri) };
}

/** Virtual file systems have no links to resolve. @throws UserError if it is closed */
export function locateVirtual(locator: Locator, uri: vscode.Uri): Location {
  const folder = locator.vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) throw new UserError(`${uri.toString()} is outside the workspace folders.`);
  const path = policyPath(uri);
  locator.policy.requireNamed(path);
  locator.policy.requireReal(path, path);
  // In some file systems a query would select another file than the path that was checked.
  const bare = uri.with({ query: folder.uri.query, fragment: folder.uri.fragment });
  return { uri: bare, path: displayPath(locator, bare), folder, verdict: verdictOn(locator, bare) };
}

/** @throws UserError if it is not a URI */
export function parseUri({ Uri }: typeof vscode, text: string): vscode.Uri {
  try {
    // Schemes are case-insensitive (RFC 3986, 3.1); VS Code's folders have them in lower case.
    return Uri.parse(
      text.replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.toLowerCase()),
      true,
    );
  } catch {
    // VS Code's own message describes internals.
    throw new UserError(
      `"${text}" is not a URI. A URI starts with a scheme; a file URI has three slashes and the absolute path, such as file:///home/me/a.ts.`,
    );
  }
}

/** Locations by path, while no rule has changed. */
const locatedBy = oncePer((_verdicts: object) => new Map<string, Location>());
const MOST_LOCATED = 1_000;

/**
 * The location of a file: the last one if its links still lead there and no rule has changed, else a new one.
 *
 * @param path absolute. @throws UserError if it is closed, NotFoundError if nothing is there
 */
export async function locateFile(locator: Locator, path: string): Promise<Location> {
  const isKnown = locatedBy(locator.policy.verdicts).has(path);
  const now = isKnown ? await locator.inputs.resolve(path).catch(() => undefined) : undefined;
  const last = now && locatedBy(locator.policy.verdicts).get(path); // rules may have changed meanwhile
  if (last && !now.error && last.realPath === now.realPath) return last;
  const location = await locateAnew(locator, path);
  const known = locatedBy(location.verdict.of);
  if (known.size === MOST_LOCATED) known.clear();
  if (location.realPath !== undefined) known.set(path, location);
  return location;
}

async function locateAnew(locator: Locator, path: string): Promise<Location> {
  if (Buffer.byteLength(path) > LONGEST_PATH)
    throw new UserError(`The path is too long (${Buffer.byteLength(path)} bytes). Pass a shorter one.`);
  const { policy } = locator;
  policy.requireNamed(path); // before anything on the disk is touched, which could tell what is there
  const { verdicts } = policy;
  const named = ofWorkspace(locator, path);
  const { realPath, error } = await locator.inputs.resolve(path).catch((error) => {
    throw notFound(locator, path, error);
  });
  if (policy.verdicts !== verdicts) policy.requireNamed(path);
  policy.requireReal(path, realPath);
  const target = ofWorkspace(locator, realPath);
  // If the disk ignores case, VS Code uses the spelling on the disk.
  const uri = sameName(named, target) ? target : named;
  const folder = locator.vscode.workspace.getWorkspaceFolder(uri);
  const verdict = verdictOn(locator, uri, realPath);
  const location: Location = { uri, path: displayPath(locator, uri), ...(folder && { folder }), verdict };
  if (!error) return { ...location, realPath, ...(uri !== target && { targetUri: target }) };
  if (isLastText(locator.vscode, location)) return location; // though the file is gone
  throw notFound(locator, path, error);
}

/** Call it after both paths were judged, in the same turn of the event loop. */
const verdictOn = ({ policy }: Locator, uri: vscode.Uri, realPath?: string): AccessVerdict => ({
  of: policy.verdicts,
  maxBytes: policy.maxFileSize(policyPath(uri), ...(realPath === undefined ? [] : [realPath])),
});

/** The location by the rules of now. @throws UserError if it is closed by them, NotFoundError */
export const judgedNow = async (locator: Locator, location: Location): Promise<Location> =>
  location.verdict.of === locator.policy.verdicts ? location : locateUri(locator, location.uri.toString());

export const sameName = (a: vscode.Uri, b: vscode.Uri): boolean =>
  comparable(a.fsPath, process.platform) === comparable(b.fsPath, process.platform);

const notFound = (locator: Locator, path: string, error: NodeJS.ErrnoException): UserError =>
  isMissing(error)
    ? new NotFoundError(`There is no file or folder ${displayPath(locator, locator.vscode.Uri.file(path))}.`)
    : new UserError(`${path} cannot be reached: ${reasonOf(error)}`);

/**
 * VS Code keeps the spelling with which a folder was opened: it may be a link, or differ in case. Files in it get the same
 * prefix.
 */
export function ofWorkspace({ vscode: { Uri }, inputs }: Locator, path: string): vscode.Uri {
  const { platform } = process;
  for (const side of ['path', 'realPath'] as const) {
    const folder = inputs.rules.folders.find((one) => isWithin(path, one[side], platform));
    if (folder) return Uri.file(respelled(path, folder[side], folder.path, platform));
  }
  return Uri.file(path);
}
