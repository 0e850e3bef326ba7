/** The real programs of agents know our server when it is configured, and only then: `npm run test:agents`. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ENTRY, type PlaceScope } from '../../src/agents/program.ts';
import { until } from '../until.ts';
import { useMachine } from '../wire/harness.ts';
import {
  environment,
  installed,
  isWindows,
  output,
  type ProgramName,
  prepareHome,
  type Surroundings,
} from './programs.ts';

/** What a program prints about our server. */
const cases: readonly { id: string; program: ProgramName; scope: PlaceScope; listed: RegExp }[] = [
  { id: 'claude-code', program: 'claude', scope: 'user', listed: /workspace-mcp: .*Connected/ },
  { id: 'claude-code', program: 'claude', scope: 'local', listed: /workspace-mcp: .*Connected/ },
  { id: 'claude-code', program: 'claude', scope: 'project', listed: /workspace-mcp: .*Connected/ },
  { id: 'codex', program: 'codex', scope: 'user', listed: /^workspace-mcp .* enabled/m },
  { id: 'opencode', program: 'opencode', scope: 'user', listed: /✓ workspace-mcp connected/ },
  { id: 'opencode', program: 'opencode', scope: 'project', listed: /✓ workspace-mcp connected/ },
  { id: 'gemini-cli', program: 'gemini', scope: 'user', listed: /✓ workspace-mcp: .*Connected/ },
  { id: 'gemini-cli', program: 'gemini', scope: 'project', listed: /✓ workspace-mcp: .*Connected/ },
];

describe('agents: real programs', () => {
  const machines = useMachine();

  for (const { id, program, scope, listed } of cases)
    it(`${program}, ${scope}`, async () => {
      await installed(program);
      const window = await machines.open();
      const { surroundings, configure, remove } = prepareHome(machines.root, window.path());
      const list = () => output(program, ['mcp', 'list'], surroundings);
      assert.doesNotMatch(await list(), /workspace-mcp/);
      await configure(id, scope);
      assert.match(await list(), listed);
      if (program === 'codex') assert.deepEqual(await codexServers(surroundings), [ENTRY]);
      await until(() => window.agents.length === 0, 'the agents to leave');
      await remove(id, scope);
      assert.doesNotMatch(await list(), /workspace-mcp/);
    }).timeout(600_000);
});

/** The names of the servers that Codex connects to. `codex mcp list` only reads the configuration. */
async function codexServers({ home, cwd }: Surroundings): Promise<string[]> {
  const options = { cwd, env: environment(home), shell: isWindows };
  const codex = spawn(await installed('codex'), ['app-server'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const clientInfo = { name: 'test', version: '1' };
    await request(codex, 1, 'initialize', { clientInfo });
    codex.stdin.write('{"method":"initialized"}\n');
    const { data } = await request(codex, 2, 'mcpServerStatus/list', {});
    return (data as { name: string; serverInfo: object | null }[])
      .filter(({ serverInfo }) => serverInfo)
      .map(({ name }) => name);
  } finally {
    codex.kill();
  }
}

async function request(
  { stdin, stdout }: ChildProcess,
  id: number,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) {
    const message = JSON.parse(line);
    if (message.id === id) return message.result;
  }
  throw new Error(`Codex ended before it answered ${method}`);
}
