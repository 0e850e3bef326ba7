/** A hook of an agent, by the real shim. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from './paths.ts';

/** @param event as the agent names it. @returns what it prints */
export const runHook = async (agent: string, event: string, payload: object): Promise<string> =>
  (await hookProcess(agent, event, payload)).output;

/** As `runHook`, with all that is known at its end. */
export async function hookProcess(agent: string, event: string, payload: object) {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/shim.js'), 'hook', agent, event], {
    env: { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'cli' }, // as in a terminal
  });
  child.stdin.end(JSON.stringify({ session_id: 'session', hook_event_name: event, ...payload }));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { output, errors, code };
}
