/** `--doctor`: checks everything that an agent needs to get its window. Changes nothing. */
import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { stateDirectory } from '../../ipc/windowRecord.ts';
import { trustedRecords } from '../window/trustedRecords.ts';
import { type Named, queryOf } from '../window/windowQuery.ts';
import { choiceSection } from './choice.ts';
import { leftoversSection } from './leftovers.ts';
import { look } from './probe.ts';
import { type ExitCode, exitCode, render, type Section } from './report.ts';
import { stateSection } from './state.ts';
import { type Self, versionsSection } from './versions.ts';
import { windowsSection } from './windows.ts';

export interface DoctorOptions {
  self: Self;
  /** The environment that an agent would have. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  named?: Named;
  /** Sections from the caller, shown first. */
  first?: Section[];
}

/** The report and its exit code. The report never contains secrets such as window tokens. */
export async function runDoctor(options: DoctorOptions): Promise<{ text: string; code: ExitCode }> {
  const { self, env, cwd, named = {}, first = [] } = options;
  const uid = process.getuid?.();
  const home = stateDirectory(env);
  const { records, problems } = trustedRecords(home);
  const seen = await Promise.all(records.map(look));
  const { section: choice, hasWindow } = choiceSection(seen, queryOf(named, { cwd, env }));
  const sections = [
    ...first,
    versionsSection(self, home, uid),
    stateSection(home, env, uid),
    // Nothing is read from a refused state directory.
    ...(directoryProblem(home, uid) === undefined
      ? [windowsSection(seen, problems, self.version), leftoversSection(home, seen), choice]
      : []),
  ];
  const code = exitCode(sections, hasWindow);
  return { text: render(sections, code), code };
}
