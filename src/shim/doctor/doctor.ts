/** `--doctor`: looks at all that has to be right for an agent to get its window, and changes nothing. */
import { stateDirectory } from '../../socket/windowRecord.ts';
import { type Named, queryOf } from '../query.ts';
import { trustedRecords } from '../trustedRecords.ts';
import { choiceSection } from './choice.ts';
import { environmentSection } from './environment.ts';
import { leftoversSection } from './leftovers.ts';
import { look } from './look.ts';
import { type ExitCode, exitCode, render, type Section } from './report.ts';
import { socketPlaces, stateSection } from './state.ts';
import { type Self, versionsSection } from './versions.ts';
import { windowsSection } from './windows.ts';

export interface DoctorOptions {
  self: Self;
  /** As the agent would have it. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  named?: Named;
  /** What only the caller knows, shown first. */
  first?: Section[];
}

/** The report and the exit code that it comes to. Nothing secret stands in it: tokens of windows never do. */
export async function runDoctor(options: DoctorOptions): Promise<{ text: string; code: ExitCode }> {
  const { self, env, cwd, named = {}, first = [] } = options;
  const uid = process.getuid?.();
  const home = stateDirectory(env);
  const { records, problems } = trustedRecords(home);
  const state = stateSection(home, env, uid);
  // Told of already, with the directory.
  const known = new Set(state.findings.map(({ text }) => text));
  const seen = await Promise.all(records.map(look));
  const { section, hasWindow } = choiceSection(seen, queryOf(named, { cwd, env }));
  const sections = [
    ...first,
    versionsSection(self, home, uid),
    state,
    windowsSection(
      seen,
      problems.filter((problem) => !known.has(problem)),
      self.version,
    ),
    await leftoversSection(home, seen, socketPlaces(env, uid)),
    environmentSection(env, seen),
    section,
  ];
  const code = exitCode(sections, hasWindow);
  return { text: render(sections, code), code };
}
