import { type Context, createContext, Script } from 'node:vm';

const script = new Script('run()');
/** Made once: a new one takes longer than most of what is run. */
let context: Context | undefined;

/**
 * Runs something that a regular expression from a repository may keep from ever ending, for `ms` milliseconds at most. Not to
 * be called by what it runs.
 *
 * @throws Error after that time
 */
export function bounded<T>(run: () => T, ms: number): T {
  context ??= createContext({});
  context.run = run;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } finally {
    context.run = undefined;
  }
}
