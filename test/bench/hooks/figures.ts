/** What a hook costs an agent: a process, beside a bare Node that reaches a socket; and a call, beside `ping` on the same connection. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_TOOL } from '../../../src/core/hooks/hookPrograms.ts';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { projectNode } from '../../host/paths.ts';
import { atMostMore } from '../aims.ts';
import { tool } from '../calls.ts';
import { Client } from '../client.ts';
import { type At, inScratch, makeMachine, startServer } from '../places.ts';
import { interleaved, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';

const SERVER = join(import.meta.dirname, '../way/server.ts');
const BARE_HOOK = join(import.meta.dirname, '../floor/hook.cjs');

const PROCESSES = 60;
const CALLS = 1000;

export const hookFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage('hooks');
    const env = { ...process.env, ...makeMachine(at), BENCH_SOCKET: at('bare.sock') };
    const folder = at('workspace');
    const servers = (['ours', 'floor'] as const).map((side) => startServer([SERVER, side, folder], env));
    await until('the servers', () => readRecords(at('home'))[0] && existsSync(at('bare.sock')));
    const rows = [await processes(at, env), await calls(at, env)];
    for (const stop of servers) await stop();
    return rows;
  });

async function processes(at: At, env: NodeJS.ProcessEnv): Promise<Row> {
  const event = { session_id: 's', cwd: at('workspace'), tool_name: 'Bash', tool_input: { command: 'ls' } };
  const run =
    (...args: string[]) =>
    async () => {
      const hook = spawn(projectNode(), args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
      hook.stdin.on('error', () => {}).end(JSON.stringify(event)); // the bare one does not read it
      await once(hook, 'close');
    };
  const ours = run(at('home/shim.js'), 'hook', 'codex', 'PreToolUse');
  const sides = { ours: () => timed(ours), floor: () => timed(run(BARE_HOOK)) };
  await interleaved(5, sides);
  return row('hook by a process', 'ms', await interleaved(PROCESSES, sides), atMostMore(15));
}

async function calls(at: At, env: NodeJS.ProcessEnv): Promise<Row> {
  const cwd = at('workspace');
  const client = new Client({ command: projectNode(), args: [at('home/shim.js')], cwd, env });
  await client.initialize('claude-code');
  const told = { event: 'PreToolUse', session: 's', cwd, tool: 'Edit', path: join(cwd, 'a.ts') };
  const hook = tool(HOOK_TOOL, told);
  const sides = {
    ours: () => timed(() => hook(client)),
    floor: () => timed(() => client.request('ping', {})),
  };
  const { result } = JSON.parse(`${await hook(client)}`);
  if (result?.content?.[0]?.text !== '{}') throw new Error('The hook was not taken.');
  await interleaved(CALLS / 5, sides);
  const samples = await interleaved(CALLS, sides);
  await client.close();
  return row('hook by a call', 'ms', samples, atMostMore(2));
}
