/** The real programs of agents know our server when it is configured, and only then: `npm run test:agents`. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../src/agents/applyPlan.ts';
import { claudeProject } from '../../src/agents/claudeProject.ts';
import { planToConfigure, planToRemove } from '../../src/agents/plan.ts';
import type { Machine, Scope } from '../../src/agents/program.ts';
import { ENTRY } from '../../src/agents/program.ts';
import { stableShimPath } from '../../src/ipc/installedShim.ts';
import { targetOf } from '../unit/agents/machine.ts';
import { until } from '../until.ts';
import { type TestWindow, useMachine } from '../wire/harness.ts';
import { codexServers, installed, listServers, type ProgramName, type Surroundings } from './programs.ts';

interface Case {
  id: string;
  program: ProgramName;
  scope: Scope;
  /** What it prints about our server. */
  listed: RegExp;
}

const cases: readonly Case[] = [
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

  for (const { id, program, scope, listed } of cases) {
    it(`${program}, ${scope}`, async () => {
      await installed(program);
      const { window, surroundings, configure, remove } = await prepare(id, scope);
      assert.doesNotMatch(await listServers(program, surroundings), /workspace-mcp/);
      await configure();
      assert.match(await listServers(program, surroundings), listed);
      if (program === 'codex') assert.deepEqual(await codexServers(surroundings), [ENTRY]);
      await until(() => window.agents.length === 0, 'the agents to leave');
      await remove();
      assert.doesNotMatch(await listServers(program, surroundings), /workspace-mcp/);
    }).timeout(600_000);
  }

  async function prepare(id: string, scope: Scope) {
    const window: TestWindow = await machines.open();
    const surroundings: Surroundings = { home: join(machines.root, 'home'), cwd: window.path() };
    mkdirSync(join(surroundings.home, '.gemini'), { recursive: true });
    // Gemini CLI starts no servers in other folders.
    const trusted = JSON.stringify({ [surroundings.cwd]: 'TRUST_FOLDER' });
    writeFileSync(join(surroundings.home, '.gemini', 'trustedFolders.json'), trusted);
    // Nor does Claude Code start those of a project that the user has not approved.
    const approved = { hasTrustDialogAccepted: true, enabledMcpjsonServers: [ENTRY] };
    const projects = { [claudeProject(surroundings.cwd)]: approved };
    writeFileSync(join(surroundings.home, '.claude.json'), JSON.stringify({ projects }));
    // The state is where the shim looks for it, so entries need no variable, and those of projects can be shared.
    const state = join(surroundings.home, '.workspace-mcp');
    symlinkSync(join(machines.root, 'state'), state, 'junction');
    const launch = {
      ...{ command: 'node', program: process.execPath, isOwn: false },
      ...{ shim: stableShimPath(state), env: {} },
    };
    const target = targetOf(id, scope);
    const machine: Machine = {
      ...{ platform: process.platform, env: {}, l10n: { t: String } },
      ...{ home: surroundings.home, folder: surroundings.cwd },
    };
    return {
      ...{ window, surroundings },
      configure: async () => applyPlan(await planToConfigure(target, launch, machine)),
      remove: async () => applyPlan(await planToRemove(target, launch, machine)),
    };
  }
});
