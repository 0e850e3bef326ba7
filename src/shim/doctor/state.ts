import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explained } from '../../ipc/fileErrors.ts';
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { socketDirectories } from '../../ipc/socketPath.ts';
import { windowsDirectory } from '../../ipc/windowRecord.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** As much as a record takes, in bytes: on a full disk an empty file can still be made. */
const TRIAL = 4096;

/** Whether windows can keep their records and sockets there, and nobody else can. */
export function stateSection(home: string, env: NodeJS.ProcessEnv, uid: number | undefined): Section {
  const { platform } = process;
  const sockets = platform === 'win32' ? [] : socketDirectories({ env, uid, home, tmpdir: tmpdir() });
  const problem = directoryProblem(home, uid);
  const others = problem === undefined ? [windowsDirectory(home)] : [];
  // A window takes the next one.
  const isOneUsable = sockets.some((path) => directoryProblem(path, uid) === undefined);
  return {
    title: 'State directory',
    findings: [
      problem === undefined ? writing(home) : bad(problem),
      ...others.filter(isThere).map((path) => ownFinding(path, uid, bad)),
      ...sockets.filter(isThere).map((path) => ownFinding(path, uid, isOneUsable ? warn : bad)),
    ],
  };
}

const isThere = (path: string): boolean => existsSync(path);

function ownFinding(path: string, uid: number | undefined, refused: (problem: string) => Finding): Finding {
  const problem = directoryProblem(path, uid);
  return problem === undefined ? ok(`${path} is yours alone.`) : refused(problem);
}

/** Tried, not asked for: modes do not tell of a full disk, nor of one that is read-only. */
function writing(home: string): Finding {
  if (!existsSync(home))
    return warn(
      `${home} does not exist yet: the first window whose server starts makes it. Open one in VS Code.`,
    );
  const path = join(home, `doctor.${process.pid}.tmp`);
  try {
    writeFileSync(path, ' '.repeat(TRIAL), { flag: 'wx', mode: 0o600 });
    return ok(`${home} is yours alone, and files can be written there.`);
  } catch (error) {
    return bad(
      `No file can be written in ${home}: windows cannot be found. ${explained(error, home).message}`,
    );
  } finally {
    rmSync(path, { force: true });
  }
}
