import { type Context, createContext, Script } from 'node:vm';

const script = new Script('run()');
/** Reused: creating one takes longer than most runs. */
let context: Context | undefined;

/** Retries if the process got too little CPU time. */
const AGAIN = 5;

type Bounded = <T>(run: () => T, ms: number) => T;

/**
 * Runs code for at most `ms` milliseconds: a repository's regular expression may never end. On a busy machine it is retried if
 * the process got less than half of that as CPU time. Not reentrant.
 *
 * @param run may be called several times
 * @throws Error after that time
 */
export let bounded: Bounded = boundedBySystem;

/** For tests, which have no seconds for what never ends. @param other the system's by default */
export function setBounded(other: Bounded = boundedBySystem): void {
  bounded = other;
}

export function boundedBySystem<T>(run: () => T, ms: number): T {
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
