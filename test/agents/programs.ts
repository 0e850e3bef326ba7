/** The command-line programs of agents, from npm, on a test's machine. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyPlans } from '../../src/agents/applyPlans.ts';
import { examine } from '../../src/agents/examine.ts';
import { claudeProject } from '../../src/agents/places.ts';
import { planToConfigure, planToRemove, USUAL } from '../../src/agents/plan.ts';
import { ENTRY, type Machine, type PlaceScope } from '../../src/agents/program.ts';
import { stableShimPath } from '../../src/ipc/installedShim.ts';
import { projectRoot } from '../host/paths.ts';
import { ensurePackage } from '../packages.ts';
import { targetOf } from '../unit/agents/machine.ts';

/** Package, and the script that puts the program in its place. Always the newest version: so it is what users have. */
const PACKAGES = {
  claude: ['@anthropic-ai/claude-code', 'install.cjs'],
  codex: ['@openai/codex', ''],
  opencode: ['opencode-ai', 'postinstall.mjs'],
  gemini: ['@google/gemini-cli', ''],
  qwen: ['@qwen-code/qwen-code', ''],
  copilot: ['@github/copilot', ''],
  cline: ['cline', ''],
} as const;

export type ProgramName = keyof typeof PACKAGES;

/** Where a program runs. */
export interface Surroundings {
  /** Its home directory, not the user's. */
  home: string;
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

export const isWindows = process.platform === 'win32';

const run = promisify(execFile);

/** By package: npm is asked once. */
const newest = new Map<string, Promise<string>>();

/** The newest version of a package. @throws if npm cannot be reached */
async function newestOf(name: string): Promise<string> {
  const { stdout } = await run('npm', ['view', name, 'version'], { shell: isWindows });
  return stdout.trim();
}

/** Installs the newest version of a program if it is missing. Returns its path. */
export async function installed(program: ProgramName): Promise<string> {
  const [name, script] = PACKAGES[program];
  const version = newest.get(name) ?? newestOf(name);
  newest.set(name, version);
  const folder = await ensurePackage(name, await version, console.error, async (cwd) => {
    if (script) await run(process.execPath, [script], { cwd });
  });
  return join(folder.slice(0, -name.length), '.bin', isWindows ? `${program}.cmd` : program);
}

/** Returns all that a program prints, without colours. */
export async function output(
  program: ProgramName,
  args: readonly string[],
  { home, cwd, env }: Surroundings,
): Promise<string> {
  const options = { cwd, env: { ...environment(home), ...env }, timeout: 120_000, shell: isWindows };
  const words = isWindows ? args.map((word) => JSON.stringify(word)) : args; // for the shell
  const running = run(await installed(program), words, options);
  running.child.stdin?.end(); // some wait for more of the prompt
  const { stdout, stderr } = await running;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
  return (stdout + stderr).replaceAll(/\u001b\[\d*m/g, '');
}

/** The PATH has the Node.js of this process first. */
export const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: `${join(process.execPath, '..')}${isWindows ? ';' : ':'}${process.env.PATH}`,
  HOME: home,
  USERPROFILE: home,
  ...(isWindows && { SystemRoot: process.env.SystemRoot, APPDATA: join(home, 'AppData', 'Roaming') }),
  TERM: 'dumb',
  NO_COLOR: '1',
});

/** A home directory below the root of a machine, in which programs trust a folder; and how they get and lose our entry there. */
export function prepareHome(root: string, cwd: string) {
  const home = join(root, 'home');
  // Gemini CLI and Qwen Code start no servers in other folders.
  for (const directory of ['.gemini', '.qwen']) {
    mkdirSync(join(home, directory), { recursive: true });
    const trusted = JSON.stringify({ [cwd]: 'TRUST_FOLDER' });
    writeFileSync(join(home, directory, 'trustedFolders.json'), trusted);
  }
  // Nor does Claude Code start those of a project that the user has not approved.
  const approved = { hasTrustDialogAccepted: true, enabledMcpjsonServers: [ENTRY] };
  const projects = { [claudeProject(cwd)]: approved };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ projects }));
  const state = join(root, 'state');
  const launch = {
    command: 'node',
    program: process.execPath,
    isOwn: false,
    shim: stableShimPath(state),
    env: { WORKSPACE_MCP_HOME: state },
  };
  const ownSkills = join(projectRoot, 'skills');
  const places = { home, folder: cwd, ownSkills };
  const machine: Machine = { platform: process.platform, env: {}, l10n: { t: String }, ...places };
  const surroundings: Surroundings = { home, cwd };
  return {
    surroundings,
    configure: async (id: string, scope: PlaceScope, withHooks = true) =>
      applyPlans(await planToConfigure(targetOf(id, scope), launch, machine, { ...USUAL, hooks: withHooks })),
    examined: async (id: string) => examine(targetOf(id), launch, machine),
    remove: async (id: string, scope: PlaceScope) =>
      applyPlans(await planToRemove(targetOf(id, scope), launch, machine)),
  };
}
