import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ifUserError, NotFoundError } from '../../core/errors.ts';
import { mostAlike } from '../../core/symbolPaths.ts';
import { lookOf } from '../../core/text/visible.ts';
import { candidates, locate } from '../read/locate.ts';
import { parseUri } from '../read/locateUri.ts';
import { displayPath, isUri, type Location, type Locator, slashed } from '../read/location.ts';
import type { FileList } from './fileList.ts';

/** Most paths that an error lists. */
const MOST = 3;

interface Near {
  /** Paths with names that only look the same. */
  alike: readonly string[];
  others: readonly string[];
}

/**
 * For what `locate` has not found. If it is only read, a name may differ in characters that look the same, such as the spaces in
 * names of macOS screenshots, or letters that macOS takes apart. Models write the usual ones.
 *
 * @throws the error, with near paths
 */
export async function nearest(
  error: unknown,
  locator: Locator,
  path: string,
  { listed, isRead }: { listed?: FileList | undefined; isRead: boolean },
): Promise<Location> {
  if (!(error instanceof NotFoundError)) throw error;
  const near = await nearPaths(locator, path, listed);
  const [only, ...others] = near.alike;
  if (!isRead || only === undefined || others.length > 0) throw explained(error, near, locator);
  const location = await locate(locator, only);
  return { ...location, note: `The name is ${exactly(location.path)}, which looks like what you passed.` };
}

function explained({ message }: NotFoundError, { alike, others }: Near, locator: Locator): NotFoundError {
  const shown = (path: string) => displayPath(locator, locator.vscode.Uri.file(path));
  if (alike.length > 0) {
    const names = alike.map((path) => exactly(shown(path)));
    return new NotFoundError(`${message} What looks the same: ${names.join(', ')}. Pass it exactly.`);
  }
  return new NotFoundError(
    others.length > 0 ? `${message} Nearest: ${others.map(shown).join(', ')}.` : message,
  );
}

/** As a JSON string in ASCII: what looks the same is told apart. */
const exactly = (path: string): string =>
  JSON.stringify(path).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function nearPaths(locator: Locator, path: string, listed: FileList | undefined): Promise<Near> {
  const found = await Promise.all(placesOf(locator, path).map((place) => nearPlace(locator, place)));
  const name = basename(path);
  const namesakes = (listed?.foldersWith(name) ?? []).map((folder) => join(folder, name));
  return {
    alike: await open(
      locator,
      found.flatMap((near) => near.alike),
    ),
    others: await open(locator, [...namesakes, ...found.flatMap((near) => near.others)]),
  };
}

/** The first of those that this agent may read: by its name alone, a link may lead out. */
async function open(locator: Locator, paths: readonly string[]): Promise<string[]> {
  const first = [...new Set(paths)].slice(0, 2 * MOST);
  const located = await Promise.all(first.map((path) => locate(locator, path).catch(ifUserError(undefined))));
  return first.filter((_, index) => located[index]).slice(0, MOST);
}

function placesOf({ vscode }: Locator, path: string): string[] {
  if (isUri(path)) {
    const uri = parseUri(vscode, path);
    return uri.scheme === 'file' ? [uri.fsPath] : [];
  }
  if (isAbsolute(path)) return [resolve(path)];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const all = [...candidates(folders, slashed(path).replace(/^(\.\/+)+/, ''))].flat();
  return all.map(({ folder, inside }) => join(folder.fsPath, inside));
}

/** What is near the first name that is missing. */
async function nearPlace(locator: Locator, place: string): Promise<Near> {
  const rest: string[] = [];
  for (let at = place; dirname(at) !== at; at = dirname(at)) {
    const folder = dirname(at);
    const all = await readdir(folder).catch(() => undefined);
    if (!all) {
      rest.unshift(basename(at));
      continue;
    }
    const names = all.filter((name) => locator.policy.mayList(join(folder, name)));
    const look = lookOf(basename(at));
    const alike = names.filter((name) => lookOf(name) === look).map((name) => join(folder, name, ...rest));
    const further = alike.filter((path) => path !== place && !existsSync(path));
    const deeper = await Promise.all(further.map((path) => nearPlace(locator, path)));
    const others = mostAlike(names, basename(at), (name) => name, MOST).map((name) => join(folder, name));
    return {
      alike: [...alike.filter((path) => existsSync(path)), ...deeper.flatMap((near) => near.alike)],
      others: alike.length > 0 ? deeper.flatMap((near) => near.others) : others,
    };
  }
  return { alike: [], others: [] };
}
