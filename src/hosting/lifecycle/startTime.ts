import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Position of the start time in /proc/PID/stat, behind the name of the program (proc(5), field 22). */
const START = 19;

/**
 * The start of a process, as text that another process with the same id does not have. Undefined if it has ended, and on Windows,
 * where asking takes PowerShell: there a server without its window ends at the end of its stdin, or stays.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxStart(pid);
  if (process.platform === 'win32') return undefined;
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const run = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env });
  const { stdout } = await run.catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}

/** In clock ticks since the system started, which the boot id tells from other starts. */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return isZombie ? undefined : `${boot} ${fields[START]}`;
  } catch {
    return undefined;
  }
}
