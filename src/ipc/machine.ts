import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/** Name of this machine or container: pids and sockets of another one mean nothing here. */
export const hostId = (): string => hostname();

/**
 * What changes with each boot. Where the system has no name for a boot it is the time of it, to two minutes, since
 * the clock is adjusted meanwhile; a boot that is not recognised costs no more than a record that is not cleaned up.
 */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `boot-${Math.round((Date.now() / 1000 - uptime()) / 120)}`;
  }
}

/** Whether both are of this machine and this boot, so that a socket that refuses is a dead process's. */
export const isOfThisBoot = (record: { host: string; bootId: string }): boolean =>
  record.host === hostId() && record.bootId === bootId();
