import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOurs, leftSockets, refusing } from '../ipc/abandonedSockets.ts';
import { isOfThisBoot } from '../ipc/machine.ts';
import { readRecords, removeRecord } from '../ipc/windowRecord.ts';
import { releaseWindowId } from './windowClaim.ts';

/**
 * Removes record, lock and socket of crashed windows of this machine and boot. Keeps those of other machines and containers
 * that share the home directory: their windows may be alive although the socket refuses here.
 *
 * @param socketPath a socket; the other sockets in its directory are checked
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
