/** The window that is measured: a headless VS Code with the packaged extension and the floor in one extension host. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecords, type WindowRecord } from '../../src/ipc/windowRecord.ts';
import { until } from '../host/agent.ts';
import { type Host, startHost } from '../host/headless/host.ts';
import { projectNode } from '../host/paths.ts';
import { makeScratch } from '../host/scratch.ts';
import { until as soonUntil } from '../until.ts';
import type { Program } from './client.ts';
import { ensurePeer } from './peer.ts';
import type { WindowSide } from './samples.ts';
import { vsix } from './sizes.ts';
import { writeWorkspace } from './workspace.ts';

export interface BenchWindow {
  /** How each side is started. @param node path of the Node to run it */
  program(side: WindowSide, node?: string): Program;
  /** The workspace, and a copy of it for the peer: what one edits, the other's watchers must not see. */
  folder: string;
  peerFolder: string;
  /** What its record says; undefined while it is away. */
  record(): WindowRecord | undefined;
  /** The socket of the floor's server, or of the SDK's. */
  socket(side: 'floor' | 'sdk'): string;
  /** Reloads the window and tells what loading and activating one of its extensions took. */
  reload(side: Activation['side']): Promise<Activation>;
  close(): Promise<void>;
}

/**
 * What loading and activating an extension took, in milliseconds: by the clock, while all of VS Code starts, and of the extension host's
 * thread on a processor; and when it was done, in milliseconds since the epoch.
 */
export interface Activation {
  side: 'ours' | 'floor';
  clock: number;
  busy: number;
  at: number;
}

export async function openWindow(): Promise<BenchWindow> {
  const peerProgram = await ensurePeer();
  const scratch = makeScratch();
  const at = (name: string) => join(scratch.path, name);
  for (const name of ['home', 'run', 'workspace']) mkdirSync(at(name), { mode: 0o700 });
  writeWorkspace(at('workspace'));
  cpSync(at('workspace'), at('peer'), { recursive: true });
  for (const name of ['edited.ts', 'edited.txt'])
    cpSync(join(at('peer'), name), join(at('workspace'), `floor-${name}`));
  const places = {
    WORKSPACE_MCP_HOME: at('home'),
    XDG_RUNTIME_DIR: at('run'),
    BENCH_SOCKET: at('floor.sock'),
    BENCH_PEER: join(dirname(peerProgram), 'lib.js'),
    BENCH_ACTIVATIONS: at('activations'),
  };
  const host = await startHost({
    target: at('workspace'),
    installExtension: vsix,
    extensionDevelopmentPath: join(import.meta.dirname, 'floor'),
    userDataDir: allowingEdits(at('user')),
    env: places,
    report: console.error,
  });
  await until('the window', () => readRecords(at('home'))[0]);
  const bareShim = join(import.meta.dirname, 'floor/shim.cjs');
  const scripts = {
    ours: [join(at('home'), 'shim.js')],
    floor: [bareShim],
    sdk: [bareShim],
    peer: [peerProgram, at('peer')],
  };
  const env = { ...process.env, ...places };
  const sdkEnv = { ...env, BENCH_SOCKET: `${places.BENCH_SOCKET}.sdk` };
  return {
    program: (side, node = projectNode()) => ({
      command: node,
      args: scripts[side],
      cwd: at('workspace'),
      env: side === 'sdk' ? sdkEnv : env,
    }),
    folder: at('workspace'),
    peerFolder: at('peer'),
    record: () => readRecords(at('home'))[0],
    socket: (side) => (side === 'sdk' ? sdkEnv : env).BENCH_SOCKET,
    reload: (side) => reload(host, places.BENCH_ACTIVATIONS, side),
    close: async () => {
      await host.close();
      scratch.remove();
    },
  };
}

/** A profile: only the user's own settings can allow edits without a question. */
export function allowingEdits(directory: string): string {
  const settings = { 'workspaceMcp.approvals': { edit: 'allow' } };
  mkdirSync(join(directory, 'User'), { recursive: true });
  writeFileSync(join(directory, 'User/settings.json'), JSON.stringify(settings));
  return directory;
}

/** Milliseconds before a reload: one of a page that is still loading is lost. */
const SETTLED = 3_000;

async function reload(host: Host, path: string, side: Activation['side']): Promise<Activation> {
  const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  const before = lines().length;
  await delay(SETTLED);
  await host.page.reload();
  const all = () =>
    lines()
      .slice(before)
      .map((line): Activation => JSON.parse(line));
  const found = () => all().find((one) => one.side === side);
  await soonUntil(() => found() !== undefined, 'the activation');
  return found() as Activation;
}
