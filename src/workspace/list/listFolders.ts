import type * as vscode from 'vscode';
import { type DiskFolder, filesAt, filesOnDisk } from './diskFiles.ts';
import { readExcludes } from './excludes.ts';
import { FileList, type FolderFiles } from './fileList.ts';
import { insideOf, ListedFolder } from './listedFile.ts';
import { changed } from './sortedTails.ts';
import { virtualFiles, virtualFilesAt } from './virtualFiles.ts';
import type { VirtualFolder } from './virtualFolder.ts';

/** What lists. */
export interface Lister {
  vscode: typeof vscode;
  /** Undefined in a build that brings none. */
  ripgrep: string | undefined;
  /** Schemes of file systems that VS Code was found to have no search for. */
  unsearched: Set<string>;
}

const UNSTOPPED = new AbortController().signal;

/** All files of the workspace folders; one of nested folders once, as one of the innermost. @throws CancelledError, UserError */
export async function listFolders(lister: Lister, signal = UNSTOPPED): Promise<FileList> {
  const { workspace, Uri } = lister.vscode;
  const all = workspace.workspaceFolders ?? [];
  const folders = all.map((folder) => new ListedFolder(Uri, folder, all));
  const parts = folders.map(async (folder) => {
    const source = sourceOf(lister, folder);
    const paths = await ('ripgrep' in source ? filesOnDisk(source, signal) : virtualFiles(source, signal));
    return { folder, tails: tailsOf(folder, paths).sort() };
  });
  return new FileList(await Promise.all(parts));
}

/**
 * The list with what is now at some places, whatever was there before. Undefined where that would not do: a folder itself
 * came or went, or what is listed depends on other files.
 *
 * @throws UserError
 */
export async function listPlaces(
  lister: Lister,
  list: FileList,
  places: readonly vscode.Uri[],
): Promise<FileList | undefined> {
  const { parts } = list;
  const byFolder = sorted(parts, places);
  const next = byFolder && parts.map((part) => changedPart(lister, part, byFolder.get(part) ?? []));
  const made = await Promise.all(next ?? []);
  const complete = made.filter((part) => part !== undefined);
  if (!next || complete.length < made.length) return undefined;
  return complete.every((part, index) => part === parts[index]) ? list : new FileList(complete);
}

/** Places by the innermost folder that each is in. Undefined where one is in none, or has a folder in it. */
function sorted(
  parts: readonly FolderFiles[],
  places: readonly vscode.Uri[],
): ReadonlyMap<FolderFiles, string[]> | undefined {
  const byFolder = new Map<FolderFiles, string[]>();
  for (const place of places) {
    const key = place.toString();
    if (parts.some(({ folder }) => folder.uriPrefix.startsWith(`${key}/`))) return undefined;
    const own = parts.find(
      ({ folder }) =>
        key.startsWith(folder.uriPrefix) && folder.isInnermostOf(key.slice(folder.uriPrefix.length)),
    );
    if (!own) return undefined;
    const tail = key.slice(own.folder.uriPrefix.length);
    // There names of files are told in another spelling than they have on the disk.
    if (process.platform === 'darwin' && tail.includes('%')) return undefined;
    const tails = byFolder.get(own) ?? [];
    tails.push(tail);
    byFolder.set(own, tails);
  }
  return byFolder;
}

async function changedPart(
  lister: Lister,
  part: FolderFiles,
  looked: readonly string[],
): Promise<FolderFiles | undefined> {
  if (looked.length === 0) return part;
  const { folder, tails } = part;
  const source = sourceOf(lister, folder);
  if (source.excludes.hasConditions) return undefined;
  const places = looked.map(insideOf);
  const paths = await ('ripgrep' in source
    ? filesAt(source, places, UNSTOPPED)
    : virtualFilesAt(source, places, UNSTOPPED));
  const now = changed(tails, looked, tailsOf(folder, paths));
  return now === tails ? part : { folder, tails: now };
}

function tailsOf(folder: ListedFolder, paths: readonly string[]): string[] {
  const tails = paths.map((path) => folder.tailOf(path));
  return folder.nested.length === 0 ? tails : tails.filter((tail) => folder.isInnermostOf(tail));
}

function sourceOf(lister: Lister, { folder, uri }: ListedFolder): DiskFolder | VirtualFolder {
  const { vscode, ripgrep, unsearched } = lister;
  const excludes = readExcludes(vscode.workspace, uri);
  return ripgrep !== undefined && uri.scheme === 'file'
    ? { ripgrep, uri, excludes }
    : { vscode, folder, excludes, unsearched };
}
