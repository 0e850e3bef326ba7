/** What is installed on the machine: programs, and the directories that they share. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { explained } from '../../ipc/fileErrors.ts';
import { isSameShim, OLDEST_NODE, stableShimPath, versionOf } from '../../ipc/installedShim.ts';
import { directoryProblem, ownerProblem } from '../../ipc/privateDirectory.ts';
import { socketDirectories } from '../../ipc/socketPath.ts';
import { hostId, windowsDirectory } from '../../ipc/windowRecord.ts';
import { readIfThere, realPathOf } from '../../util/diskPaths.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

export interface DoctorProgram {
  /** `shim`, or `extension`. */
  name: string;
  version: string;
  /** Path of the shim that it is, or that comes with it. */
  shim: string;
}

/** The versions of this program and its platform, and the installed shim that agents start. */
export const versionsSection = (self: DoctorProgram, home: string, uid: number | undefined): Section => ({
  title: 'Versions',
  findings: [
    ok(`Workspace MCP ${self.version}: the ${self.name}, ${self.shim}`),
    nodeFinding(process.versions.node, process.execPath),
    ok(`${process.platform} ${process.arch}, ${release()}, on ${hostId()}`),
    ...copyFindings(self, stableShimPath(home), uid),
  ],
});

/** @param version `20.1.2` */
export const nodeFinding = (version: string, program: string): Finding =>
  Number.parseInt(version, 10) < OLDEST_NODE
    ? bad(
        `Node ${version}: the shim needs ${OLDEST_NODE} or newer. Start it with another Node than ${program}.`,
      )
    : ok(`Node ${version}, ${program}`);

function copyFindings({ shim, version }: DoctorProgram, path: string, uid: number | undefined): Finding[] {
  const copy = readIfThere(path);
  if (!copy)
    return [warn(`${path} is missing or cannot be read. A window installs it when its server starts.`)];
  const problem = ownerProblem(statSync(path), path, uid);
  const owner = problem === undefined ? [] : [bad(`${problem} Agents start this program.`)];
  if (realPathOf(path) === realPathOf(shim)) return [...owner, ok(`${path} is this program.`)];
  return [...owner, compared(path, copy, { shim, version })];
}

function compared(path: string, copy: Buffer, { shim, version }: Omit<DoctorProgram, 'name'>): Finding {
  if (isSameShim(shim, path)) return ok(`${path}, which agents start, is the same build as this program.`);
  const its = versionOf(copy);
  return its === undefined
    ? bad(`${path} is not the shim. Remove it, then reload a window.`)
    : warn(
        `${path}, which agents start, is a different build: ${its}; this is ${version}. Update the older one: reload a window with the newer extension, then restart your agents.`,
      );
}

/** Size of a record, in bytes: an empty file can be created even on a full disk. */
const TRIAL = 4096;

/** Whether windows can write records and sockets there, and other users cannot. */
export function stateSection(home: string, env: NodeJS.ProcessEnv, uid: number | undefined): Section {
  const { platform } = process;
  const sockets = platform === 'win32' ? [] : socketDirectories({ env, uid, home, tmpdir: tmpdir() });
  const problem = directoryProblem(home, uid);
  const others = problem === undefined ? [windowsDirectory(home)] : [];
  // A window falls back to the next directory.
  const isOneUsable = sockets.some((path) => directoryProblem(path, uid) === undefined);
  return {
    title: 'State directory',
    findings: [
      problem === undefined ? writing(home) : bad(problem),
      ...others.filter((path) => existsSync(path)).map((path) => ownFinding(path, uid, bad)),
      ...sockets
        .filter((path) => existsSync(path))
        .map((path) => ownFinding(path, uid, isOneUsable ? warn : bad)),
    ],
  };
}

function ownFinding(path: string, uid: number | undefined, refused: (problem: string) => Finding): Finding {
  const problem = directoryProblem(path, uid);
  return problem === undefined ? ok(`${path} is accessible only to you.`) : refused(problem);
}

/** Writes a trial file: modes do not show a full or read-only disk. */
function writing(home: string): Finding {
  if (!existsSync(home))
    return warn(
      `${home} does not exist yet. The first window creates it when its server starts: open a folder in VS Code.`,
    );
  const path = join(home, `doctor.${process.pid}.tmp`);
  try {
    writeFileSync(path, ' '.repeat(TRIAL), { flag: 'wx', mode: 0o600 });
    return ok(`${home} is accessible only to you, and writable.`);
  } catch (error) {
    return bad(
      `No file can be written in ${home}, so agents cannot find windows. ${explained(error, home).message}`,
    );
  } finally {
    rmSync(path, { force: true });
  }
}
