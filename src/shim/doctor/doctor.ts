/** `--doctor`: checks everything that an agent needs to get its window. Changes nothing. */

import { existsSync } from 'node:fs';
import { allVisible } from '../../core/text/shown.ts';
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { stateDirectory, trustedRecords, type WindowRecord } from '../../ipc/windowRecord.ts';
import { chooseAnswering, type MatchRule } from '../window/chooseWindow.ts';
import { foldersOf, noWindowMessage, severalMessage } from '../window/noWindowMessage.ts';
import { type NamedWindow, queryOf, type Tier, type WindowQuery } from '../window/windowQuery.ts';
import { type DoctorProgram, stateSection, versionsSection } from './installation.ts';
import { type ExitCode, exitCode, type Finding, ok, render, type Section, warn } from './report.ts';
import { leftoversSection, type ProbedWindow, probe, windowsSection } from './windows.ts';

export interface DoctorOptions {
  self: DoctorProgram;
  env: NodeJS.ProcessEnv;
  cwd: string;
  named?: NamedWindow;
  /** Sections from the caller, shown first. */
  first?: Section[];
}

/** The report and its exit code. The report never contains secrets such as window tokens. */
export async function runDoctor(options: DoctorOptions): Promise<{ text: string; code: ExitCode }> {
  const { self, env, cwd, named = {}, first = [] } = options;
  const uid = process.getuid?.();
  const home = stateDirectory(env);
  const { records, problems } = trustedRecords(home);
  const probed = await Promise.all(records.map(probe));
  const { section: choice, hasWindow } = await choiceSection(probed, queryOf(named, { cwd, env }));
  const sections = [
    ...first,
    versionsSection(self, home, uid),
    stateSection(home, env, uid),
    // Nothing is read from a refused state directory.
    ...(directoryProblem(home, uid) === undefined
      ? [windowsSection(probed, problems, self.version), leftoversSection(home, probed), choice]
      : []),
  ];
  const code = exitCode(sections, hasWindow);
  return { text: render(sections, code), code };
}

/** Which window an agent would get, and why. `hasWindow` is false if it would get none. */
export async function choiceSection(
  probed: readonly ProbedWindow[],
  query: WindowQuery,
): Promise<{ section: Section; hasWindow: boolean }> {
  const directory = query.workspace ?? query.cwd;
  const named = allVisible(directory);
  const choice = await choiceFinding(probed, query);
  const missing = existsSync(directory) ? [] : [warn(`${named} does not exist.`)];
  return {
    section: { title: `The window for an agent in ${named}`, findings: [...missing, choice] },
    hasWindow: choice.level === 'ok',
  };
}

async function choiceFinding(probed: readonly ProbedWindow[], query: WindowQuery): Promise<Finding> {
  const answering = probed.filter(({ answers }) => answers);
  const open = recordsOf(answering);
  const ask = async (tier: Tier) => answering.filter(({ record }) => tier.includes(record));
  const choice = await chooseAnswering(recordsOf(probed), query, ask, async () => open);
  if (!choice) return warn(noWindowMessage(query, open, []));
  const { rule, equals } = choice;
  const [window, ...others] = recordsOf(choice.windows);
  if (!window || others.length > 0) return warn(severalMessage(recordsOf(choice.windows), open));
  const tie =
    window.id === query.terminalWindowId ? 'it owns this terminal' : 'it is the only one that answers';
  const among = equals > 0 && rule !== 'window' ? ` Of ${equals + 1} matching windows, ${tie}.` : '';
  return ok(
    `Window ${window.id} (${window.ideName}: ${foldersOf(window)}), because ${allVisible(REASONS[rule](query))}.${among}`,
  );
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
