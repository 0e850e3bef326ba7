import { isResponsive } from '../../ipc/dial.ts';
import { hostId, isOfThisBoot } from '../../ipc/machine.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';

/** Result of probing a window. */
export interface Seen {
  record: WindowRecord;
  /** Whether it has proved that it is the window of the record. */
  answers: boolean;
  /** Whether its workbench responds. */
  responsive: boolean;
  /** Set if it does not answer. */
  error?: NodeJS.ErrnoException;
  isOfThisMachine: boolean;
  /** Whether its process runs on this machine and boot. */
  isRunning: boolean;
}

/** Probes a window as an agent does, but starts no session: the window shows no agent. */
export async function look(record: WindowRecord): Promise<Seen> {
  const about = {
    record,
    isOfThisMachine: record.host === hostId(),
    isRunning: isOfThisBoot(record) && isRunning(record.pid),
  };
  try {
    return { ...about, answers: true, responsive: await isResponsive(record) };
  } catch (error) {
    return { ...about, answers: false, responsive: false, error: error as Error };
  }
}

/** Whether nothing listens at its socket, for example after a crash. */
export const isGone = ({ error }: Seen): boolean =>
  error?.code === 'ECONNREFUSED' || error?.code === 'ENOENT';

/** Whether the record has outlived its window. A window that runs, or may run on another machine, is not stale. */
export const isStale = (seen: Seen): boolean => isGone(seen) && seen.isOfThisMachine && !seen.isRunning;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}
