/** `--doctor`: checks everything that an agent needs to get its window. Changes nothing. */
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { stateDirectory, trustedRecords } from '../../ipc/windowRecord.ts';
import { type NamedWindow, queryOf } from '../window/windowQuery.ts';
import { choiceSection } from './choice.ts';
import { type DoctorProgram, stateSection, versionsSection } from './installation.ts';
import { type ExitCode, exitCode, render, type Section } from './report.ts';
import { leftoversSection, probe, windowsSection } from './windows.ts';

export interface DoctorOptions {
  self: DoctorProgram;
  /** The environment that an agent would have. */
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
