import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOurs, leftSockets, refusing } from '../ipc/abandonedSockets.ts';
import { isOfThisBoot } from '../ipc/machine.ts';
import { readRecords, removeRecord } from '../ipc/windowRecord.ts';
import { releaseWindowId } from './windowClaim.ts';

/**
 * Removes what windows of this machine and boot have left behind when they crashed: record, lock and socket. What
 * another machine or container has written into a shared home may be of a live window, although it refuses here.
 *
 * @param socketPath a socket in the directory whose other sockets are looked at
 */
export async function removeStaleWindows(home: string, socketPath: string): Promise<void> {
  const records = readRecords(home).filter(isOfThisBoot);
  const directory = dirname(socketPath);
  for (const record of await refusing(records, (one) => one.socketPath)) {
    releaseWindowId(home, record.id, record.token);
    removeRecord(home, record.id, record.token);
    if (isOurs(record.socketPath, directory)) rmSync(record.socketPath, { force: true });
  }
  for (const path of await leftSockets(directory)) rmSync(path, { force: true });
}
