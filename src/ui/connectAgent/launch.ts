import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OLDEST_NODE, stableShimPath } from '../../ipc/installedShim.ts';
import { HOME_VARIABLE, stateDirectory } from '../../ipc/windowRecord.ts';

/** How the shim of this user is started. */
export interface Launch {
  /** `node` where that is on the PATH of shells, else the absolute path of a program that does the same. */
  command: string;
  /** The same, always as an absolute path: programs that no shell has started often have another PATH. */
  program: string;
  /** Absolute path of the stable copy. */
  shim: string;
  /** Variables that the shim needs: agents pass on few by themselves. */
  env: Record<string, string>;
  /** Whether it is VS Code's own program, for want of a Node on the PATH; an update of VS Code may move it. */
  isOwn: boolean;
}

/** Milliseconds for a program called `node` to say what it is. */
const TIMEOUT = 5_000;

export interface Machine {
  env: NodeJS.ProcessEnv;
  execPath: string;
  isElectron: boolean;
  /** What `node` on the PATH says of itself; undefined where there is none. */
  node(): Promise<{ version: string; path: string } | undefined>;
}

/** Finds out how to start the shim on this machine. */
export async function findLaunch(machine: Machine = thisMachine): Promise<Launch> {
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

const thisMachine: Machine = {
  env: process.env,
  execPath: process.execPath,
  isElectron: 'electron' in process.versions,
  async node() {
    try {
      const print = 'process.versions.node + " " + process.execPath';
      const { stdout } = await promisify(execFile)('node', ['-p', print], { timeout: TIMEOUT });
      const [, version = '', path = ''] = /^(\S+) (.+)$/m.exec(stdout) ?? [];
      return { version, path };
    } catch {
      return undefined; // not there, or not a Node
    }
  },
};
