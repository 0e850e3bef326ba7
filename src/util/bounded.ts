import { Script } from 'node:vm';

const script = new Script('run()');

/**
 * Runs something that a regular expression from a repository may keep from ever ending, for `ms` milliseconds at most.
 *
 * @throws Error after that time
 */
export const bounded = <T>(run: () => T, ms: number): T =>
  script.runInNewContext({ run }, { timeout: ms }) as T;
