import { statSync } from 'node:fs';
import { release } from 'node:os';
import { isSameShim, OLDEST_NODE, stableShimPath, versionOf } from '../../ipc/installedShim.ts';
import { hostId } from '../../ipc/machine.ts';
import { ownerProblem } from '../../ipc/recordProblem.ts';
import { readIfThere } from '../../ipc/replaceFile.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** The program that runs the doctor. */
export interface Self {
  /** `shim`, or `extension`. */
  name: string;
  version: string;
  /** Path of the shim that it is, or that comes with it. */
  shim: string;
}

/** The versions of this program and its platform, and the installed shim that agents start. */
export const versionsSection = (self: Self, home: string, uid: number | undefined): Section => ({
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

function copyFindings({ shim, version }: Self, path: string, uid: number | undefined): Finding[] {
  const copy = readIfThere(path);
  if (!copy)
    return [warn(`${path} is missing or cannot be read. A window installs it when its server starts.`)];
  const problem = ownerProblem(statSync(path), path, uid);
  const owner = problem === undefined ? [] : [bad(`${problem} Agents start this program.`)];
  if (realPathOf(path) === realPathOf(shim)) return [...owner, ok(`${path} is this program.`)];
  return [...owner, compared(path, copy, { shim, version })];
}

/** Compares the installed shim with the one of this program. */
function compared(path: string, copy: Buffer, { shim, version }: Omit<Self, 'name'>): Finding {
  if (isSameShim(shim, path)) return ok(`${path}, which agents start, is the same build as this program.`);
  const its = versionOf(copy).join('.');
  return its === '0.0.0'
    ? bad(`${path} is not the shim. Remove it, then reload a window.`)
    : warn(
        `${path}, which agents start, is a different build: ${its}; this is ${version}. Update the older one: reload a window with the newer extension, then restart your agents.`,
      );
}
