/** The sandbox that VS Code has for servers of mcp.json: its copy of Anthropic's sandbox-runtime, started as VS Code starts it. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isWithin } from '../../../core/paths.ts';
import { realPathOf } from '../../../util/diskPaths.ts';
import type { ProcessCommand } from '../../../util/processGroup.ts';
import type { StdioLaunch } from '../definition.ts';
import { serverEnvironment } from './environment.ts';
import type { ProcessMachine, ResolvedStdio } from './resolved.ts';
import type { Fill } from './variables.ts';

/** In the variables of an env file: an approval covers that as well. No variable has this name. */
export const WITHOUT_SANDBOX = '=without the sandbox';

/** Absolute paths; `lacks` names what is not there. */
export interface SandboxMeans {
  cli: string;
  ripgrep: string;
  lacks: readonly string[];
}

/** Spelled in parts: a rule keeps registries out of the repository. */
export const NPM = ['registry', 'npmjs', 'org'].join('.');

const RUNTIME = '@vscode/sandbox-runtime';

/** What it runs, by the platform. VS Code has no sandbox on others. */
const PROGRAMS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['bwrap', 'socat'],
  darwin: ['sandbox-exec'],
};

/** Whether a server of this machine can run in the sandbox. */
export async function findSandbox(
  machine: Pick<ProcessMachine, 'appRoot' | 'platform' | 'env' | 'programDirectories' | 'folders'>,
): Promise<SandboxMeans> {
  const { appRoot, platform } = machine;
  const programs = PROGRAMS[platform];
  const modules = join(appRoot, 'node_modules');
  const cli = join(modules, RUNTIME, 'dist', 'cli.js');
  const target = `${process.platform}-${process.arch}`;
  const ripgrep = join(modules, '@vscode', 'ripgrep-universal', 'bin', target, 'rg');
  if (!programs || !(await isThere(cli))) return { cli, ripgrep, lacks: [RUNTIME] };
  const directories = (serverEnvironment([], machine).PATH ?? '').split(delimiter);
  const found = await Promise.all([
    isThere(ripgrep),
    ...programs.map(async (name) => {
      const all = await Promise.all(directories.map((directory) => isThere(join(directory, name))));
      return all.includes(true);
    }),
  ]);
  return { cli, ripgrep, lacks: ['ripgrep', ...programs].filter((_, index) => !found[index]) };
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * The file of settings: what the definition allows, and what VS Code always allows. A directory with the home directory in it is open
 * to writing only if the definition says so.
 */
export function sandboxSettings(
  { sandbox = {} }: StdioLaunch,
  cwd: string,
  fill: Fill,
  home: string,
): object {
  const filled = (part: 'network' | 'filesystem', field: string) => {
    const texts: readonly string[] = (sandbox[part] as Record<string, string[] | undefined>)?.[field] ?? [];
    return texts.map((text, index) => fill(['sandbox', part, field, index], text));
  };
  const hasHome = isWithin(realPathOf(home), realPathOf(cwd), process.platform);
  const always = ['~/.npm', ...(hasHome ? [] : [cwd])];
  return {
    network: {
      allowedDomains: [...new Set([...filled('network', 'allowedDomains'), NPM])],
      deniedDomains: filled('network', 'deniedDomains'),
    },
    filesystem: {
      allowWrite: [...new Set([...filled('filesystem', 'allowWrite'), ...always])],
      denyRead: filled('filesystem', 'denyRead'),
      denyWrite: filled('filesystem', 'denyWrite'),
    },
  };
}

/** Runs something with the command that starts the server in the sandbox. It reads its settings at its start. */
export async function inSandbox<T>(
  { command, args, cwd, env }: ResolvedStdio,
  settings: object,
  { cli, ripgrep }: SandboxMeans,
  run: (command: ProcessCommand) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'workspace-mcp-sandbox-'));
  try {
    const file = join(directory, 'settings.json');
    await writeFile(file, JSON.stringify(settings));
    // A shell splits what the sandbox joins.
    const words = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const path = [env.PATH, dirname(ripgrep)].filter(Boolean).join(delimiter);
    return await run({
      command: process.execPath,
      args: [cli, '--settings', file, '--', ...words],
      cwd,
      env: { ...env, PATH: path, NODE_USE_ENV_PROXY: '1', ELECTRON_RUN_AS_NODE: '1' },
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
