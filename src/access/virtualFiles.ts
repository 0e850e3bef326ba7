import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import { inParallel } from '../util/inParallel.ts';
import { withToken } from '../util/token.ts';
import { PATIENCE } from './diskFiles.ts';
import type { Excludes } from './excludes.ts';

/** How long VS Code may search a virtual file system, in milliseconds, before its directories are read instead. */
const SEARCH_PATIENCE = 2_000;
/** Directories read at once. */
const AT_ONCE = 16;

/** A folder of a virtual file system, or one on the disk where VS Code brings no ripgrep. */
export interface VirtualFolder {
  vscode: typeof vscode;
  folder: vscode.WorkspaceFolder;
  excludes: Excludes;
  /** Schemes that VS Code's search does not answer for: where no extension brings one, it waits for one that might. */
  unsearched: Set<string>;
}

/** Paths of all files in a folder, in no order. @throws CancelledError, UserError */
export async function virtualFiles(folder: VirtualFolder, signal: AbortSignal): Promise<string[]> {
  const paths = (await foundByEditor(folder, signal)) ?? (await walked(folder, '', signal));
  const { byName, hasConditions, bySibling } = folder.excludes;
  const known = new Set(hasConditions ? paths : []);
  return paths.filter((path) => !byName(path) && !bySibling(path, (sibling) => known.has(sibling)));
}

/** Undefined where VS Code has no search for the file system. */
async function foundByEditor(
  { vscode, folder, unsearched }: VirtualFolder,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const { scheme, path } = folder.uri;
  if (unsearched.has(scheme)) return undefined;
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const patience = scheme === 'file' ? PATIENCE : SEARCH_PATIENCE;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const uris = await withToken(vscode, stop, (token) =>
    withDeadline(vscode.workspace.findFiles(pattern, undefined, undefined, token), 'listing files', patience),
  ).catch((error) => {
    if (scheme === 'file') throw error;
    return [];
  });
  throwIfCancelled(signal); // what VS Code has found until then is not all
  const start = path.replace(/\/$/, '').length + 1;
  if (uris.length > 0 || scheme === 'file') return uris.map((uri) => uri.path.slice(start));
  unsearched.add(scheme);
  return undefined;
}

/** Of the files at some places, and in them where they are folders, those that are listed. @param places paths in the folder */
export async function virtualFilesAt(
  folder: VirtualFolder,
  places: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { FileType, Uri, workspace } = folder.vscode;
  const found = await inParallel(places, AT_ONCE, async (place) => {
    if (folder.excludes.byName(place)) return [];
    const uri = Uri.joinPath(folder.folder.uri, place);
    const type = await withDeadline(workspace.fs.stat(uri), `looking at ${place}`).then(
      (stat) => stat.type,
      (error) => {
        if (error instanceof UserError) throw error; // the deadline
        return undefined;
      },
    );
    if (type === FileType.File) return [place];
    return type === FileType.Directory ? walked(folder, `${place}/`, signal) : [];
  });
  return found.flat();
}

/** All files in a directory, links left out. @param start path of it in the folder, with a slash, or `''` */
async function walked(folder: VirtualFolder, start: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (let level = [start]; level.length > 0; ) {
    const entries = await inParallel(level, AT_ONCE, (directory) => entriesOf(folder, directory, signal));
    level = [];
    for (const { path, type } of entries.flat()) {
      if (folder.excludes.byName(path)) continue;
      if (type === folder.vscode.FileType.File) paths.push(path);
      if (type === folder.vscode.FileType.Directory) level.push(`${path}/`);
    }
  }
  return paths;
}

async function entriesOf({ vscode, folder }: VirtualFolder, directory: string, signal: AbortSignal) {
  throwIfCancelled(signal);
  const { Uri, workspace } = vscode;
  const uri = Uri.joinPath(folder.uri, directory);
  const entries = await withDeadline(workspace.fs.readDirectory(uri), `listing ${uri.path}`).catch(
    (error) => {
      if (error instanceof UserError) throw error;
      return []; // gone meanwhile, or not to be read
    },
  );
  return entries.map(([name, type]) => ({ path: directory + name, type }));
}
