import { type Context, createContext, Script } from 'node:vm';

const script = new Script('run()');
/** Made once: a new one takes longer than most of what is run. */
let context: Context | undefined;

/** How often it is run again where the machine had no time for it. */
const AGAIN = 5;

/**
 * Runs something that a regular expression from a repository may keep from ever ending, for `ms` milliseconds at most. On a busy
 * machine it is run again if the process has had less than half of that on a processor. Not to be called by what it runs.
 *
 * @param run may be run several times
 * @throws Error after that time
 */
export function bounded<T>(run: () => T, ms: number): T {
  context ??= createContext({});
  context.run = run;
  try {
    for (let again = AGAIN; ; again--) {
      const before = process.cpuUsage();
      try {
        return script.runInContext(context, { timeout: ms }) as T;
      } catch (error) {
        const { user, system } = process.cpuUsage(before);
        const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
        if (!isLate || again === 0 || (user + system) / 1_000 > ms / 2) throw error;
      }
    }
  } finally {
    context.run = undefined;
  }
}
