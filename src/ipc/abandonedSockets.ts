import { readdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { machinePrefix } from './socketPath.ts';

/** What has just been made is not in use yet; younger than this, in milliseconds, it is left alone. */
const YOUNG = 60_000;

/** Sockets of this machine and boot that crashed servers have left in a directory. None on Windows: a pipe ends with its process. */
export async function leftSockets(directory: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const paths = readdirSync(directory).map((name) => join(directory, name));
  return refusing(
    paths.filter((path) => isOurs(path, directory) && isOld(path)),
    (path) => path,
  );
}

/** Those of the items at whose socket nobody listens. */
export async function refusing<T>(items: T[], socketPathOf: (item: T) => string): Promise<T[]> {
  const refused = await Promise.all(items.map((item) => refuses(socketPathOf(item))));
  return items.filter((_, index) => refused[index]);
}

/** Whether a file has been there for longer than its maker needs to use it. */
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

/** Whether a path is of a socket that a server of this machine and boot has made in a directory. */
export const isOurs = (path: string, directory: string): boolean =>
  dirname(path) === directory && basename(path).startsWith(machinePrefix()) && path.endsWith('.sock');
