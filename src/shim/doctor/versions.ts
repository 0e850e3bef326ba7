import { statSync } from 'node:fs';
import { release } from 'node:os';
import { isNewer, OLDEST_NODE, readIfThere, stableShimPath, versionOf } from '../../ipc/installedShim.ts';
import { hostId } from '../../ipc/machine.ts';
import { ownerProblem } from '../../ipc/recordProblem.ts';
import { realPathOf } from '../../util/realPath.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** The program that runs the doctor. */
export interface Self {
  /** `shim`, or `extension`. */
  name: string;
  version: string;
  /** Path of the shim that it is, or comes with. */
  shim: string;
}

/** What runs here, and the copy of the shim that agents start. */
export const versionsSection = (self: Self, home: string, uid: number | undefined): Section => ({
  title: 'Versions',
  findings: [
    ok(`Workspace MCP ${self.version}: the ${self.name}, ${self.shim}`),
    nodeFinding(process.versions.node, process.execPath),
    ok(`${process.platform} ${process.arch}, ${release()}, on ${hostId()}`),
    ...stableFindings(self, stableShimPath(home), uid),
  ],
});

/** @param version `20.1.2` */
export const nodeFinding = (version: string, program: string): Finding =>
  Number.parseInt(version, 10) < OLDEST_NODE
    ? bad(
        `Node ${version}: the shim needs ${OLDEST_NODE} or newer. Start it with another one than ${program}.`,
      )
    : ok(`Node ${version}, ${program}`);

function stableFindings({ shim }: Self, path: string, uid: number | undefined): Finding[] {
  const copy = readIfThere(path);
  if (!copy)
    return [warn(`${path} cannot be read or is missing: a window puts it there when its server starts.`)];
  const problem = ownerProblem(statSync(path), path, uid);
  const owner = problem === undefined ? [] : [bad(`${problem} Agents start this program.`)];
  return [
    ...owner,
    realPathOf(path) === realPathOf(shim)
      ? ok(`${path} is this program.`)
      : compared(path, copy, readIfThere(shim)),
  ];
}

/** How the copy that agents start differs from what comes with this program. */
function compared(path: string, copy: Buffer, ours: Buffer | undefined): Finding {
  const [theirs, own] = [versionOf(copy), versionOf(ours ?? Buffer.alloc(0))];
  if (ours?.equals(copy)) return ok(`${path}, which agents start, is the same as this.`);
  if (theirs.every((part) => part === 0))
    return bad(`${path} is not the shim. Remove it, then reload a window.`);
  const its = `${path}, which agents start, is ${theirs.join('.')}`;
  if (isNewer(theirs, own)) return warn(`${its}: newer than this. Update this one.`);
  if (isNewer(own, theirs)) return warn(`${its}: older than this. Reload a window, then start agents anew.`);
  return warn(`${its} as well, but another build. Reload a window, then start agents anew.`);
}
