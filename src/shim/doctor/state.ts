import { accessSync, constants, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { explained } from '../../ipc/fileErrors.ts';
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { socketDirectories } from '../../ipc/socketPath.ts';
import { HOME_VARIABLE, windowsDirectory } from '../../ipc/windowRecord.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** As much as a record takes, in bytes: on a full disk an empty file can still be made. */
const TRIAL = 4096;

/** Whether windows can keep their records there, and nobody else can. */
export const stateSection = (home: string, env: NodeJS.ProcessEnv, uid: number | undefined): Section => ({
  title: 'State directory',
  findings: [
    ok(`${home}, ${env[HOME_VARIABLE] ? `which ${HOME_VARIABLE} names` : 'the usual place'}`),
    ...homeFindings(home, uid),
    ...socketPlaces(env, uid).map((directory) => ownFinding(directory, uid, 'Sockets lie there.')),
  ],
});

/** Directories for sockets that are there. */
export const socketPlaces = (env: NodeJS.ProcessEnv, uid: number | undefined): string[] =>
  process.platform === 'win32'
    ? []
    : socketDirectories({ env, uid, platform: process.platform, tmpdir: tmpdir() }).filter((path) =>
        existsSync(path),
      );

function homeFindings(home: string, uid: number | undefined): Finding[] {
  const problem = directoryProblem(home, uid);
  if (problem !== undefined) return [bad(problem)];
  if (!existsSync(home)) return [toBeMade(home)];
  const real = realpathSync.native(home);
  const windows = windowsDirectory(home);
  return [
    ok(uid === undefined ? 'It lies in a profile.' : `It is a directory of user ${uid} alone, mode 0700.`),
    ...(real === home ? [] : [ok(`A link on the way leads to ${real}.`)]),
    ...(existsSync(windows) ? [ownFinding(windows, uid, 'Records lie there.')] : []),
    writing(home),
  ];
}

function toBeMade(home: string): Finding {
  let place = dirname(home);
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
    return warn('It is not there yet: the first window whose server starts makes it. Open one in VS Code.');
  } catch (error) {
    return bad(`It is not there, and cannot be made. ${explained(error, place).message}`);
  }
}

function ownFinding(path: string, uid: number | undefined, what: string): Finding {
  const problem = directoryProblem(path, uid);
  return problem === undefined ? ok(`${path} is yours alone. ${what}`) : bad(problem);
}

/** Tried, not asked for: modes do not tell of a full disk, nor of one that is read-only. */
function writing(home: string): Finding {
  const path = join(home, `doctor.${process.pid}.tmp`);
  try {
    writeFileSync(path, ' '.repeat(TRIAL), { flag: 'wx', mode: 0o600 });
    return ok('Files can be written there.');
  } catch (error) {
    return bad(`No file can be written there: windows cannot be found. ${explained(error, home).message}`);
  } finally {
    rmSync(path, { force: true });
  }
}
