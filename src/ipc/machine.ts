import { hostname, uptime } from 'node:os';
import { readIfThere } from '../util/diskPaths.ts';

/** Name of this machine or container. Pids and sockets of another one have no meaning here. */
export const hostId = (): string => hostname();

/**
 * Id of this boot. If the system has none, the boot time rounded to two minutes, because the clock is adjusted. If it
 * changes by mistake, only a stale record is not cleaned up.
 */
export const bootId = (): string =>
  readIfThere('/proc/sys/kernel/random/boot_id')?.toString().trim() ??
  `boot-${Math.round((Date.now() / 1000 - uptime()) / 120)}`;

/** Whether a record is of this machine and boot. Then a socket that refuses belongs to a dead process. */
export const isOfThisBoot = (record: { host: string; bootId: string }): boolean =>
  record.host === hostId() && record.bootId === bootId();
