/** The real programs of agents know our server when it is configured, and only then: `npm run test:agents`. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { claudeProject } from '../../src/agents/places.ts';
import { applyPlan, planToConfigure, planToRemove } from '../../src/agents/plan.ts';
import { ENTRY, type Machine, type PlaceScope } from '../../src/agents/program.ts';
import { stableShimPath } from '../../src/ipc/installedShim.ts';
import { ensurePackage } from '../packages.ts';
import { targetOf } from '../unit/agents/machine.ts';
import { until } from '../until.ts';
import { type TestWindow, useMachine } from '../wire/harness.ts';

/** The command-line programs of agents, from npm: package, version, and the script that puts the program in its place. */
const PACKAGES = {
  claude: ['@anthropic-ai/claude-code', '2.1.197', 'install.cjs'],
  codex: ['@openai/codex', '0.169.0', ''],
  opencode: ['opencode-ai', '1.18.33', 'postinstall.mjs'],
  gemini: ['@google/gemini-cli', '0.61.0', ''],
} as const;

type ProgramName = keyof typeof PACKAGES;

/** Where a program runs. */
interface Surroundings {
  /** Its home directory, not the user's. */
  home: string;
  cwd: string;
}

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

  async function prepare(id: string, scope: PlaceScope) {
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

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** Installs a program if it is missing. Returns its path. */
async function installed(program: ProgramName): Promise<string> {
  const [name, version, script] = PACKAGES[program];
  const folder = await ensurePackage(name, version, console.error, async (cwd) => {
    if (script) await run(process.execPath, [script], { cwd });
  });
  return join(folder.slice(0, -name.length), '.bin', isWindows ? `${program}.cmd` : program);
}

/** What `mcp list` prints, without colours. */
async function listServers(program: ProgramName, { home, cwd }: Surroundings): Promise<string> {
  const options = { cwd, env: environment(home), timeout: 120_000, shell: isWindows };
  const { stdout, stderr } = await run(await installed(program), ['mcp', 'list'], options);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
  return (stdout + stderr).replaceAll(/\u001b\[\d*m/g, '');
}

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

/** The PATH has the Node.js of this process first. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: `${join(process.execPath, '..')}${isWindows ? ';' : ':'}${process.env.PATH}`,
  HOME: home,
  USERPROFILE: home,
  ...(isWindows && { SystemRoot: process.env.SystemRoot, APPDATA: join(home, 'AppData', 'Roaming') }),
  TERM: 'dumb',
  NO_COLOR: '1',
});
