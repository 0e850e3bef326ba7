import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { attempt } from '../../core/errors.ts';
import { fieldsOf, parsedJson } from '../../core/json.ts';
import { readIfThere } from '../../util/diskPaths.ts';
import { endGroup, GRACE, LAST_GRACE, procStat } from '../../util/processGroup.ts';
import type { ProcessList } from '../connection/stdio.ts';

/**
 * A file with the processes that a window has started: their ids (each the id of its process group) and start times. If the
 * window's extension host is killed, the next one ends them with `reapLeftovers`.
 */
export class StartedProcesses implements ProcessList {
  grace = GRACE;
  readonly #path: string;
  readonly #started = new Map<number, string | undefined>();

  /** @param path a file of this window only, in a private directory that exists */
  constructor(path: string) {
    this.#path = path;
  }

  add(pid: number): void {
    this.#started.set(pid, undefined);
    void startTimeOf(pid).then((start) => {
      if (start === undefined || !this.#started.has(pid)) return;
      this.#started.set(pid, start);
      this.#write();
    });
  }

  hurry(): void {
    this.grace = LAST_GRACE;
  }

  remove(pid: number): void {
    if (this.#started.delete(pid)) this.#write();
  }

  /** Without the record a process may be left behind, but the server runs; so an error is not reported. */
  #write(): void {
    const record = JSON.stringify(Object.fromEntries(this.#started));
    attempt(() => writeFileSync(this.#path, record, { mode: 0o600 }));
  }
}

/**
 * Ends the processes in a record of an earlier extension host, with their groups, and removes the record. Call it before the
 * first server is started. A process id that now belongs to another process (its start time differs) is left alone; so is the
 * rest of a group whose leader has ended.
 *
 * @returns the ids of the ended processes; none on Windows
 */
export async function reapLeftovers(path: string): Promise<number[]> {
  const recorded = Object.entries(fieldsOf(parsedJson(`${readIfThere(path)}`)));
  const matches = await Promise.all(
    recorded.map(async ([pid, start]) => (await startTimeOf(Number(pid))) === start && start !== undefined),
  );
  const left = recorded.filter((_, index) => matches[index]).map(([pid]) => Number(pid));
  await Promise.all(left.map((pid) => endGroup(pid, () => LAST_GRACE)));
  rmSync(path, { force: true });
  return left;
}

/** Position of the start time in /proc/PID/stat, behind the name of the program (proc(5), field 22). */
const START_TIME_INDEX = 19;

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
  const fields = procStat(pid);
  if (!fields || fields[0] === 'Z') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[START_TIME_INDEX]}`;
}
