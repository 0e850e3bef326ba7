/** A hook of an agent, by the real shim. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from './paths.ts';

/** @param event as the agent names it. @returns what it prints */
export function runHook(agent: string, event: string, payload: object): Promise<string> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/shim.js'), 'hook', agent, event], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ session_id: 'session', hook_event_name: event, ...payload }));
  return text(child.stdout);
}
