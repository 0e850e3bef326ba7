/**
 * What one run of one case may touch: a copy of its workspace and directories of its own for everything that
 * VS Code and the extension write. Afterwards nothing of it may be left.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from './cases.ts';
import { own } from './cleanup.ts';
import { RESULTS_VARIABLE } from './mochaRun.ts';
import { ENDING } from './patience.ts';
import { processesMentioning } from './processes.ts';
import { makeScratch } from './scratch.ts';

/** The variable that tells a test from outside what to open. */
export const WORKSPACE_VARIABLE = 'HOST_TEST_WORKSPACE';

export interface Sandbox {
  /** Copy of the case's workspace, or what `case.json` names in it. */
  target: string;
  userDataDir: string;
  extensionsDir: string;
  resultsFile: string;
  env: Record<string, string>;
  /** Ends what still runs. */
  endProcesses(): Promise<void>;
  /** What the extension has left behind, in words; empty when it was tidy. */
  leftovers(): Promise<string[]>;
  remove(): void;
}

export function makeSandbox({ name, directory, generate, options }: Case): Sandbox {
  const scratch = makeScratch();
  const at = (name: string) => join(scratch.path, name);
  for (const made of ['home', 'run', 'tmp']) mkdirSync(at(made), { mode: 0o700 });
  cpSync(join(directory, '..', options.workspace ?? name, 'workspace'), at('workspace'), { recursive: true });
  if (generate) execFileSync(process.execPath, [generate, at('workspace')], { stdio: 'inherit' });
  const resultsFile = at('results.json');
  const target = join(at('workspace'), options.target ?? '');
  const env = {
    WORKSPACE_MCP_HOME: at('home'),
    [RESULTS_VARIABLE]: resultsFile,
    [WORKSPACE_VARIABLE]: target,
    // elsewhere these would be too long for the paths of sockets, or mean nothing
    ...(process.platform === 'linux' && { XDG_RUNTIME_DIR: at('run'), TMPDIR: at('tmp') }),
  };
  const kill = (signal: NodeJS.Signals) => {
    for (const { pid } of running(scratch.path)) process.kill(pid, signal);
  };
  const endProcesses = async () => {
    kill('SIGTERM');
    if (!(await allEnded(scratch.path))) kill('SIGKILL');
  };
  const disown = own({ close: endProcesses, kill: () => kill('SIGKILL') });
  const leftovers = async () => [
    ...((await allEnded(scratch.path)) ? [] : running(scratch.path).map(({ command }) => command)),
    ...filesIn(at('home/windows')),
    ...filesIn(at('run/workspace-mcp')),
  ];
  const remove = () => {
    disown();
    scratch.remove();
  };
  return {
    target,
    userDataDir: at('user'),
    extensionsDir: at('extensions'),
    resultsFile,
    env,
    endProcesses,
    leftovers,
    remove,
  };
}

/** Only Linux tells what other processes were started with. */
const running = (path: string) => (process.platform === 'linux' ? processesMentioning(path) : []);

/** Processes take a moment to end. */
async function allEnded(path: string): Promise<boolean> {
  for (const deadline = Date.now() + ENDING; running(path).length > 0; await delay(100))
    if (Date.now() > deadline) return false;
  return true;
}

const filesIn = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
