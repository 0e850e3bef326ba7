import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explained } from '../../ipc/fileErrors.ts';
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { socketDirectories } from '../../ipc/socketPath.ts';
import { windowsDirectory } from '../../ipc/windowRecord.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

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
      ...others.filter(isThere).map((path) => ownFinding(path, uid, bad)),
      ...sockets.filter(isThere).map((path) => ownFinding(path, uid, isOneUsable ? warn : bad)),
    ],
  };
}

const isThere = (path: string): boolean => existsSync(path);

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
