import { execFile } from 'node:child_process';
import { windowsStart } from '../util/windowsProgram.ts';

/** Milliseconds that Codex may take. */
const LIMIT = 10_000;

/**
 * Gives a text to a session of Codex, which takes it as a prompt when it is idle (`codex queue`).
 *
 * @param cwd absolute: where the session runs
 * @throws Error without the program, or of a version that has no such command, or does not know the session
 */
export async function queueInCodex(
  session: string,
  cwd: string,
  text: string,
  run = execFile,
): Promise<void> {
  const { env, platform } = process;
  const isWindows = platform === 'win32';
  // A batch file, as npm makes one, takes no line breaks.
  const words = [
    'queue',
    '--thread',
    session,
    '--message',
    isWindows ? text.replace(/\s*\n\s*/g, ' ') : text,
  ];
  const { file, args, ...more } = isWindows
    ? windowsStart('codex', words, { cwd, env })
    : { file: 'codex', args: words };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { cwd, env, timeout: LIMIT, windowsHide: true, ...more };
  run(file, args, options, (error) => (error ? reject(error) : resolve()));
  return promise;
}
