import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { CancelledError, NotFoundError, reasonOf, UserError } from '../../core/errors.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { withDeadline } from '../../util/clock.ts';
import type { NearDisk } from '../../util/diskPaths.ts';
import type { Location, Locator } from './location.ts';

/** A file on the disk as it was when it was opened. Its real path was judged then. */
export interface DiskFile {
  /** All links resolved. */
  realPath: string;
  stats: BigIntStats;
  bytes: Uint8Array;
}

/** Waits until memory for this many bytes is free. */
export type MakeRoom = (bytes: number) => Promise<void>;

/** Size in bytes above which `makeRoom` is called. */
export const LARGE = 256 * 1024;

type Judge = Pick<Locator, 'policy' | 'inputs'>;

/**
 * Reads a file; undefined for a folder. A link may be swapped between the verdict on the name and the opening, so what was opened
 * is judged, by its real path and inode.
 */
export async function readDisk(
  locator: Judge,
  location: Location,
  makeRoom?: MakeRoom,
): Promise<DiskFile | undefined> {
  const path = location.uri.fsPath;
  const file = await OpenedFile.open(path, locator.inputs.near).catch((error) => {
    if (error.code === 'EISDIR') return undefined;
    throw unreadable(location, error);
  });
  if (!file) return undefined;
  try {
    const realPath = await judge(locator, path, file, location);
    const { stats } = file;
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile())
      throw new UserError(`${location.path} is neither a file nor a folder, so it cannot be read.`);
    const size = Number(stats.size);
    const isJudged = stands(locator, location, realPath);
    requireReadable(location, size, isJudged ? undefined : locator.policy.maxFileSize(path, realPath));
    if (!makeRoom || size <= LARGE) return { realPath, stats, bytes: await file.read() };
    file.close(); // many calls may wait: do not hold file descriptors
    await makeRoom(size);
  } catch (error) {
    throw error instanceof UserError || error instanceof CancelledError
      ? error
      : unreadable(location, error as NodeJS.ErrnoException);
  } finally {
    file.close();
  }
  return readDisk(locator, location);
}

/**
 * Judges an opened file and resolves to its real path.
 *
 * @param location whose verdict counts while its name leads to the same file, and no rule has changed
 * @throws UserError if it is closed, or the path now leads elsewhere
 */
async function judge(
  { policy, inputs }: Judge,
  path: string,
  file: OpenedFile,
  location?: Location,
): Promise<string> {
  const real = await file.realpath(path);
  if (real === undefined) throw new UserError(`${path} was replaced while it was read. Try again.`);
  await inputs.git.look(file.stats.isDirectory() ? real : dirname(real));
  if (!location || !stands({ policy }, location, real)) policy.requireReal(path, real);
  return real;
}

/** Whether the verdict on a location is also one on what was opened. */
const stands = (
  { policy }: Pick<Judge, 'policy'>,
  { realPath, verdict }: Location,
  opened: string,
): boolean => realPath === opened && verdict.of === policy.verdicts;

/** Runs `find` on an opened file and closes it; undefined if agents may not see the file, or it was deleted. */
export async function judged<T>(
  locator: Judge,
  path: string,
  file: OpenedFile,
  find: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    await judge(locator, path, file);
    return await find();
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

/**
 * Whether a file is still the one that was judged and opened, without opening it: its name leads to the same bytes, and the
 * verdict stands.
 *
 * @param stats of the opened file; undefined if it is not on the disk
 */
export async function isStill(
  { policy, inputs }: Judge,
  { uri, realPath, verdict }: Location,
  stats: BigIntStats | undefined,
): Promise<boolean> {
  if (uri.scheme === 'file') {
    const now = await inputs.resolve(uri.fsPath).catch(() => undefined);
    if (!stats || !now || now.error || now.realPath !== realPath) return false;
    const { dev, ino, size, mtimeNs, ctimeNs } = await bigStats(realPath, inputs.near).catch(() => NOTHING);
    const isSame = dev === stats.dev && ino === stats.ino && size === stats.size;
    if (!isSame || mtimeNs !== stats.mtimeNs || ctimeNs !== stats.ctimeNs) return false;
  }
  return verdict.of === policy.verdicts;
}

const NOTHING: Partial<BigIntStats> = {};

const bigStats = async (realPath: string, near: NearDisk): Promise<BigIntStats> =>
  near.has(realPath) ? statSync(realPath, { bigint: true }) : stat(realPath, { bigint: true });

function unreadable(location: Location, error: NodeJS.ErrnoException): UserError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return new NotFoundError(`There is no file or folder ${location.path}.`);
  return new UserError(`${location.path} cannot be read: ${reasonOf(error)}`);
}

/** @param size in bytes. @throws UserError if it is larger than agents may read */
export function requireReadable(location: Location, size: number, limit = location.verdict.maxBytes): void {
  if (size <= limit) return;
  throw new UserError(
    `${location.path} has ${size} bytes; the limit is ${limit} bytes (setting workspaceMcp.access.maxFileSize). Use search_text to find lines in it.`,
  );
}

export interface FileStat {
  isFolder: boolean;
  /** Not a folder, pipe, device or socket. */
  isFile: boolean;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

/** Undefined if nothing is there or it cannot be reached. @param near disks that are asked at once, without the thread pool */
export async function fileStat(
  code: typeof vscode,
  uri: vscode.Uri,
  near?: NearDisk,
): Promise<FileStat | undefined> {
  try {
    if (uri.scheme !== 'file') return await virtual(code, uri);
    const found = near?.has(uri.fsPath) ? lstatSync(uri.fsPath) : undefined;
    return statOf(found && !found.isSymbolicLink() ? found : await stat(uri.fsPath));
  } catch {
    return undefined;
  }
}

/** @throws UserError if it is a folder, a pipe or the like; NotFoundError if it was deleted */
export function requireFile({ path }: { path: string }, stat: FileStat | undefined): FileStat {
  if (!stat) throw new NotFoundError(`There is no file or folder ${path}.`);
  if (stat.isFolder) throw new UserError(`${path} is a folder. Pass the path of a file.`);
  if (!stat.isFile) throw new UserError(`${path} is neither a file nor a folder, so it cannot be read.`);
  return stat;
}

export const statOf = (stats: Stats | BigIntStats): FileStat => ({
  isFolder: stats.isDirectory(),
  isFile: stats.isFile(),
  size: Number(stats.size),
  modifiedAt: stats.mtime,
});

async function virtual({ workspace, FileType }: typeof vscode, uri: vscode.Uri): Promise<FileStat> {
  const { type, size, mtime } = await withDeadline(workspace.fs.stat(uri), `looking at ${uri.path}`);
  return {
    isFolder: (type & FileType.Directory) !== 0,
    isFile: (type & FileType.File) !== 0,
    size,
    modifiedAt: new Date(mtime),
  };
}
