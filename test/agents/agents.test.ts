/** The real programs of agents know our server when it is configured, and only then: `npm run test:agents`. */
import assert from 'node:assert/strict';
import { ENTRY, type PlaceScope } from '../../src/agents/program.ts';
import { until } from '../until.ts';
import { useMachine } from '../wire/harness.ts';
import { askCodex } from './codex.ts';
import { installed, output, type ProgramName, prepareHome, type Surroundings } from './programs.ts';

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
async function codexServers(surroundings: Surroundings): Promise<string[]> {
  const { data } = await askCodex(surroundings, 'mcpServerStatus/list', {});
  return (data as { name: string; serverInfo: object | null }[])
    .filter(({ serverInfo }) => serverInfo)
    .map(({ name }) => name);
}
