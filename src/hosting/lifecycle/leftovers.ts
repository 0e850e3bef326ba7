import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fieldsOf, parsedJson } from '../../core/json.ts';
import { endGroup, GRACE, LAST_GRACE } from '../connection/processGroup.ts';
import type { ProcessList } from '../connection/stdio.ts';
import { startTimeOf } from './startTime.ts';

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

  /** The window ends, and with it soon the extension host. */
  hurry(): void {
    this.grace = LAST_GRACE;
  }

  remove(pid: number): void {
    if (this.#started.delete(pid)) this.#write();
  }

  /** Without the record a process may be left behind, but the server runs; so an error is not reported. */
  #write(): void {
    try {
      writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#started)), { mode: 0o600 });
    } catch {}
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
  const recorded = Object.entries(fieldsOf(recordIn(path)));
  const matches = await Promise.all(
    recorded.map(async ([pid, start]) => (await startTimeOf(Number(pid))) === start && start !== undefined),
  );
  const left = recorded.filter((_, index) => matches[index]).map(([pid]) => Number(pid));
  await Promise.all(left.map((pid) => endGroup(pid, () => LAST_GRACE)));
  rmSync(path, { force: true });
  return left;
}

function recordIn(path: string): unknown {
  try {
    return parsedJson(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
