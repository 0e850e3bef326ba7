import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { isDirectory } from '../util/diskPaths.ts';
import { makePrivateDirectory } from './privateDirectory.ts';
import { bootId, hostId } from './windowRecord.ts';

export interface SocketPlace {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  tmpdir: string;
  home: string;
  /** Undefined on Windows. */
  uid: number | undefined;
}

/**
 * A new socket path in the first usable one of {@link socketDirectories}. Creates that directory for the user only.
 *
 * @throws Error with the reasons and what to do if none can be used
 */
export function newSocketPath(place: SocketPlace): string {
  if (place.platform === 'win32') return `\\\\.\\pipe\\workspace-mcp-${randomBytes(16).toString('hex')}`;
  const name = `${machinePrefix()}${randomBytes(6).toString('hex')}.sock`;
  const problems: string[] = [];
  for (const directory of socketDirectories(place)) {
    try {
      const path = join(directory, name);
      refuseTooLong(path, place.platform);
      makePrivateDirectory(directory, place.uid);
      return path;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(`No directory can be used for the server's socket.\n${problems.join('\n')}`);
}

/**
 * Directories for the user's sockets, best first. The home is last: it may be on a network, or its path too long. In a shared
 * temporary directory another user may take the name. Not for Windows: a pipe has no directory.
 */
export function socketDirectories({ env, tmpdir, home, uid }: Omit<SocketPlace, 'platform'>): string[] {
  const runtime = env.XDG_RUNTIME_DIR;
  const usable = runtime && isDirectory(runtime) ? [join(runtime, 'workspace-mcp')] : [];
  return [...usable, join(tmpdir, `workspace-mcp-${uid}`), join(home, 'sockets')];
}

function refuseTooLong(path: string, platform: NodeJS.Platform): void {
  // `sun_path` also holds a final NUL.
  const longest = (platform === 'linux' ? 108 : 104) - 1;
  if (Buffer.byteLength(path) <= longest) return;
  throw new Error(
    `${path} is longer than a socket path may be (${longest} bytes). Set TMPDIR to a shorter path.`,
  );
}

/** Prefix of this boot's socket names: other machines or containers may share the directory. */
export const machinePrefix = (): string =>
  `${createHash('sha256').update(`${hostId()}\n${bootId()}`).digest('hex').slice(0, 8)}-`;

/** Younger files are left alone, in milliseconds: they may not be in use yet. */
const YOUNG = 60_000;

/** Sockets in a directory that crashed servers of this machine and boot have left. None on Windows: a pipe ends with its process. */
export async function leftSockets(directory: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const paths = readdirSync(directory).map((name) => join(directory, name));
  const ours = paths.filter((path) => isOwnSocket(path, directory) && isOld(path));
  return refusing(ours, (path) => path);
}

/** The items whose socket has no listener. */
export async function refusing<T>(items: T[], socketPathOf: (item: T) => string): Promise<T[]> {
  const refused = await Promise.all(items.map((item) => refuses(socketPathOf(item))));
  return items.filter((_, index) => refused[index]);
}

/** Whether a file is older than {@link YOUNG}. */
export const isOld = (path: string): boolean =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > YOUNG;

function refuses(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    const answer = (isRefusal: boolean): void => {
      socket.destroy();
      resolve(isRefusal);
    };
    socket.once('connect', () => answer(false));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      answer(code === 'ECONNREFUSED' || code === 'ENOENT'),
    );
  });
}

/** Whether a path in the directory is a socket of a server of this machine and boot. */
export const isOwnSocket = (path: string, directory: string): boolean =>
  dirname(path) === directory && basename(path).startsWith(machinePrefix()) && path.endsWith('.sock');
