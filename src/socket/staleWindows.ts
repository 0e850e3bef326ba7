import { readdirSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { isOfThisBoot } from './machine.ts';
import { machinePrefix } from './socketPath.ts';
import { releaseWindowId } from './windowClaim.ts';
import { readRecords, removeRecord } from './windowRecord.ts';

/** A socket that has just been bound does not listen yet; younger than this, in milliseconds, it is left alone. */
const YOUNG = 60_000;

/**
 * Removes what windows of this machine and boot have left behind when they crashed: record, lock and socket. What
 * another machine or container has written into a shared home may be of a live window, although it refuses here.
 *
 * @param socketPath a socket in the directory whose other sockets are looked at
 */
export async function removeStaleWindows(home: string, socketPath: string): Promise<void> {
  const records = readRecords(home).filter(isOfThisBoot);
  for (const { id, token } of await refusing(records, (record) => record.socketPath)) {
    releaseWindowId(home, id, token);
    removeRecord(home, id, token);
  }
  for (const path of await refusing(oldSockets(dirname(socketPath)), (path) => path)) {
    rmSync(path, { force: true });
  }
}

async function refusing<T>(items: T[], socketPathOf: (item: T) => string): Promise<T[]> {
  const refused = await Promise.all(items.map((item) => refuses(socketPathOf(item))));
  return items.filter((_, index) => refused[index]);
}

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

/** Empty on Windows, where a pipe ends with its process. */
function oldSockets(directory: string): string[] {
  if (process.platform === 'win32') return [];
  return readdirSync(directory)
    .filter((name) => name.startsWith(machinePrefix()) && name.endsWith('.sock'))
    .map((name) => join(directory, name))
    .filter(
      (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > YOUNG,
    );
}
