import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OLDEST_NODE, stableShimPath } from '../ipc/installedShim.ts';
import { HOME_VARIABLE, stateDirectory } from '../ipc/windowRecord.ts';
import type { Machine, Place } from './program.ts';

export interface Launch {
  /** `node` if it is on the PATH, otherwise the absolute path of a program that can run as Node.js. */
  command: string;
  /** The same as an absolute path: programs that were not started by a shell often have another PATH. */
  program: string;
  /** Absolute path of the stable copy. */
  shim: string;
  /** Variables that the shim needs, because agents pass on few of their own. */
  env: Record<string, string>;
  /** Whether it is VS Code's own program, because the PATH has no Node.js. An update of VS Code may move it. */
  isOwn: boolean;
}

/** Without paths of this machine, if the file of a place can do without; else the same object. */
export function launchIn(place: Place, launch: Launch, machine: Machine): Launch {
  const { command, shim, env } = launch;
  const home = place.home?.(machine);
  if (home === undefined || Object.keys(env).length > 0 || !shim.startsWith(machine.home)) return launch;
  const rest = shim.slice(machine.home.length).replaceAll('\\', '/');
  return { ...launch, program: command, shim: home + rest };
}

/** Milliseconds for `node` to print its version. */
const TIMEOUT = 5_000;

/** What decides how the shim is started. */
export type NodeFinder = typeof thisMachine;

export async function findLaunch(machine = thisMachine): Promise<Launch> {
  const { env, execPath, isElectron } = machine;
  const home = stateDirectory(env);
  const shim = stableShimPath(home);
  const moved: Record<string, string> = env[HOME_VARIABLE] ? { [HOME_VARIABLE]: home } : {};
  const node = await machine.node();
  if (node && Number.parseInt(node.version, 10) >= OLDEST_NODE)
    return { command: 'node', program: node.path, shim, env: moved, isOwn: false };
  const asNode: Record<string, string> = isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  return { command: execPath, program: execPath, shim, env: { ...asNode, ...moved }, isOwn: true };
}

/** The same with VS Code's own program, for agents that run in this VS Code: it starts no process to find out. */
export const findOwnLaunch = (): Promise<Launch> =>
  findLaunch({ ...thisMachine, node: async () => undefined });

const thisMachine = {
  env: process.env,
  execPath: process.execPath,
  isElectron: 'electron' in process.versions,
  /** Version and path of the `node` on the PATH; undefined if it is missing, or not Node.js. */
  async node(): Promise<{ version: string; path: string } | undefined> {
    try {
      const print = 'process.versions.node + " " + process.execPath';
      const { stdout } = await promisify(execFile)('node', ['-p', print], { timeout: TIMEOUT });
      const [, version = '', path = ''] = /^(\S+) (.+)$/m.exec(stdout) ?? [];
      return { version, path };
    } catch {
      return undefined;
    }
  },
};
