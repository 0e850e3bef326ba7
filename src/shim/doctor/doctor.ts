import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { allVisible } from '../../core/text/visible.ts';
import { isSameShim, OLDEST_NODE, stableShimPath, versionOf } from '../../ipc/installedShim.ts';
import { directoryProblem, ownerProblem } from '../../ipc/privateDirectory.ts';
import { explained } from '../../ipc/replaceFile.ts';
import { socketDirectories } from '../../ipc/socketPath.ts';
import {
  hostId,
  stateDirectory,
  trustedRecords,
  type WindowRecord,
  windowsDirectory,
} from '../../ipc/windowRecord.ts';
import { readIfThere, realPathOf } from '../../util/diskPaths.ts';
import { chooseAnswering, type MatchRule } from '../window/chooseWindow.ts';
import { foldersOf, noWindowMessage, severalMessage } from '../window/noWindowMessage.ts';
import { type NamedWindow, queryOf, type Tier, type WindowQuery } from '../window/windowQuery.ts';
import { bad, type ExitCode, exitCode, type Finding, ok, render, type Section, warn } from './report.ts';
import { leftoversSection, type ProbedWindow, probe, windowsSection } from './windows.ts';

/** `--doctor`: checks everything that an agent needs to get its window. Changes nothing. */

export interface DoctorOptions {
  self: DoctorProgram;
  env: NodeJS.ProcessEnv;
  cwd: string;
  named?: NamedWindow;
  /** Sections from the caller, shown first. */
  first?: Section[];
  /** Asks a window for one more section, shown last. @param window the chosen one, or else one that answers */
  last?: (window: WindowRecord | undefined) => Promise<Section>;
}

/** The report and its exit code. The report never contains secrets such as window tokens. */
export async function runDoctor(options: DoctorOptions): Promise<{ text: string; code: ExitCode }> {
  const { self, env, cwd, named = {}, first = [], last } = options;
  const uid = process.getuid?.();
  const home = stateDirectory(env);
  const { records, problems } = trustedRecords(home);
  const probed = await Promise.all(records.map(probe));
  const { section: choice, window } = await choiceSection(probed, queryOf(named, { cwd, env }));
  const any = window ?? probed.find(({ answers }) => answers)?.record;
  const sections = [
    ...first,
    versionsSection(self, home, uid),
    stateSection(home, env, uid),
    // Nothing is read from a refused state directory.
    ...(directoryProblem(home, uid) === undefined
      ? [windowsSection(probed, problems, self.version), leftoversSection(home, probed), choice]
      : []),
    ...(last ? [await last(any)] : []),
  ];
  const code = exitCode(sections, window !== undefined);
  return { text: render(sections, code), code };
}

/** Which window an agent would get, and why. */
export async function choiceSection(
  probed: readonly ProbedWindow[],
  query: WindowQuery,
): Promise<{ section: Section; window: WindowRecord | undefined }> {
  const directory = query.workspace ?? query.cwd;
  const named = allVisible(directory);
  const { finding, window } = await choiceFinding(probed, query);
  const missing = existsSync(directory) ? [] : [warn(`${named} does not exist.`)];
  return {
    section: { title: `The window for an agent in ${named}`, findings: [...missing, finding] },
    window,
  };
}

async function choiceFinding(
  probed: readonly ProbedWindow[],
  query: WindowQuery,
): Promise<{ finding: Finding; window?: WindowRecord }> {
  const answering = probed.filter(({ answers }) => answers);
  const open = recordsOf(answering);
  const ask = async (tier: Tier) => answering.filter(({ record }) => tier.includes(record));
  const choice = await chooseAnswering(recordsOf(probed), query, ask, async () => open);
  if (!choice) return { finding: warn(noWindowMessage(query, open, [])) };
  const { rule, equals } = choice;
  const [window, ...others] = recordsOf(choice.windows);
  if (!window || others.length > 0) return { finding: warn(severalMessage(recordsOf(choice.windows), open)) };
  const tie =
    window.id === query.terminalWindowId ? 'it owns this terminal' : 'it is the only one that answers';
  const among = equals > 0 && rule !== 'window' ? ` Of ${equals + 1} matching windows, ${tie}.` : '';
  const finding = ok(
    `Window ${window.id} (${window.ideName}: ${foldersOf(window)}), because ${allVisible(REASONS[rule](query))}.${among}`,
  );
  return { finding, window };
}

const recordsOf = (probed: readonly ProbedWindow[]): WindowRecord[] => probed.map(({ record }) => record);

const REASONS: Record<MatchRule, (query: WindowQuery) => string> = {
  window: () => '--window names it',
  workspace: ({ workspace }) =>
    `its folder is or contains ${workspace} (--workspace); no other window has a deeper one`,
  before: () => 'the agent used it before',
  directory: ({ cwd }) => `its folder is or contains ${cwd}; no other window has a deeper one`,
  terminal: ({ cwd }) => `it owns this terminal, and no window has a folder that contains ${cwd}`,
  root: () => 'its folder is or contains a root that the agent declares',
  below: ({ cwd }) => `its folder is below ${cwd}, and no window has a folder that contains ${cwd}`,
  only: () =>
    'it is the only open window. If a window opens with this directory or with a root of the agent, the agent moves to it',
};

/** What is installed on the machine: programs, and the directories that they share. */

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
