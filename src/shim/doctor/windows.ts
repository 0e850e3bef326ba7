import { join } from 'node:path';
import { isResponsive } from '../../ipc/dial.ts';
import { explained } from '../../ipc/replaceFile.ts';
import { isOld } from '../../ipc/socketPath.ts';
import {
  hostId,
  isOfThisBoot,
  recordPath,
  type WindowRecord,
  windowsDirectory,
} from '../../ipc/windowRecord.ts';
import { entryNamesIn } from '../../util/diskPaths.ts';
import { foldersOf } from '../window/noWindowMessage.ts';
import { bad, type Finding, ok, type Section, section, warn } from './report.ts';

export interface ProbedWindow {
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
export async function probe(record: WindowRecord): Promise<ProbedWindow> {
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
const isGone = ({ error }: ProbedWindow): boolean =>
  error?.code === 'ECONNREFUSED' || error?.code === 'ENOENT';

/** Whether the record has outlived its window. A window that runs, or may run on another machine, is not stale. */
const isStale = (seen: ProbedWindow): boolean => isGone(seen) && seen.isOfThisMachine && !seen.isRunning;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

/** The recorded windows, except for leftovers. @param problems why other files are not records */
export function windowsSection(
  seen: readonly ProbedWindow[],
  problems: readonly string[],
  version: string,
): Section {
  const findings = [
    ...problems.map(bad),
    ...seen.filter((one) => !isStale(one)).flatMap((one) => windowFindings(one, version)),
  ];
  const text = 'No windows found. Open a folder in VS Code; the status bar shows whether the server runs.';
  return section('Windows', findings, warn(text));
}

function windowFindings(seen: ProbedWindow, version: string): Finding[] {
  const { id, ideName, ideVersion, extensionVersion, trusted, pid, host } = seen.record;
  const trust = trusted ? '' : ', not trusted: agents may only read';
  const about = `${id}: ${ideName} ${ideVersion} with ${foldersOf(seen.record)}, process ${pid} on ${host}, extension ${extensionVersion}${trust}`;
  const isOther = seen.answers && extensionVersion !== version;
  return [
    isOther
      ? warn(`${about}. This is ${version}: reload the window and restart your agents to use one version.`)
      : ok(about),
    wayFinding(seen),
  ];
}

function wayFinding(seen: ProbedWindow): Finding {
  const { record, answers, responsive, error, isOfThisMachine } = seen;
  const { id, pid, socketPath } = record;
  if (answers && responsive) return ok(`${id}: authenticated at its socket; the workbench responds.`);
  if (answers)
    return warn(
      `${id}: authenticated at its socket, but the workbench does not respond. If the window is still open, reload it.`,
    );
  if (!isOfThisMachine)
    return ok(`${id}: it is on another machine and cannot be reached from here. Nothing to do.`);
  if (isGone(seen))
    return bad(
      `${id}: nothing listens at ${socketPath}, although process ${pid} runs. Reload that window. If there is none, remove windows/${id}.json.`,
    );
  return bad(`${id}: ${explained(error).message} If this persists, reload that window.`);
}

/** Files that crashed windows have left, except those that the next window removes automatically. */
export function leftoversSection(home: string, seen: readonly ProbedWindow[]): Section {
  const directory = windowsDirectory(home);
  const findings = [
    ...seen
      .filter(isStale)
      .map(({ record }) =>
        warn(`${recordPath(home, record.id)}: its window has gone. You can remove this file.`),
      ),
    ...entryNamesIn(directory)
      .filter((name) => /\.(tmp|lock\.remove)$/.test(name) && isOld(join(directory, name)))
      .map((name) => warn(`${join(directory, name)}: a window crashed while writing this file. Remove it.`)),
  ];
  return section('Leftovers', findings, ok('None.'));
}
