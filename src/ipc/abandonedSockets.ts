import { readdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { machinePrefix } from './socketPath.ts';

/** Younger files are left alone, in milliseconds: they may not be in use yet. */
const YOUNG = 60_000;

/** Sockets in a directory that crashed servers of this machine and boot have left. None on Windows: a pipe ends with its process. */
export async function leftSockets(directory: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const paths = readdirSync(directory).map((name) => join(directory, name));
  return refusing(
    paths.filter((path) => isOurs(path, directory) && isOld(path)),
    (path) => path,
  );
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
export const isOurs = (path: string, directory: string): boolean =>
  dirname(path) === directory && basename(path).startsWith(machinePrefix()) && path.endsWith('.sock');
