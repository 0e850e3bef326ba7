/** Where sides run: directories that go with the measurement, and servers in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { own } from '../host/cleanup.ts';
import { projectNode } from '../host/paths.ts';
import { makeScratch } from '../host/scratch.ts';

/** Path of a name in a directory. */
export type At = (name: string) => string;

export const BARE_SHIM = join(import.meta.dirname, 'floor/shim.cjs');

/** Runs with a temporary directory, which goes with it. */
export async function inScratch<T>(run: (at: At) => Promise<T>): Promise<T> {
  const scratch = makeScratch();
  const result = await run((name) => join(scratch.path, name));
  scratch.remove();
  return result;
}

/** Makes the directories of a machine of its own, and a workspace; the variables that lead to them. */
export function makeMachine(at: At): Record<'WORKSPACE_MCP_HOME' | 'XDG_RUNTIME_DIR', string> {
  for (const name of ['home', 'run', 'workspace']) mkdirSync(at(name), { recursive: true, mode: 0o700 });
  return { WORKSPACE_MCP_HOME: at('home'), XDG_RUNTIME_DIR: at('run') };
}

/** Starts a server that ends with its stdin, and so also when this process is killed; the result ends it. */
export function startServer(args: string[], env: NodeJS.ProcessEnv): () => Promise<void> {
  const child = spawn(projectNode(), args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const close = async () => {
    disown();
    child.stdin.end();
    await ended;
  };
  const disown = own({ close, kill: () => child.kill('SIGKILL') });
  return close;
}
