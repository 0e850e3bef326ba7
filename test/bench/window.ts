/** The window that is measured: a headless VS Code with the packaged extension and the floor in one extension host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecords, type WindowRecord } from '../../src/ipc/windowRecord.ts';
import { until } from '../host/agent.ts';
import { type Host, startHost } from '../host/headless/host.ts';
import { projectNode, projectRoot } from '../host/paths.ts';
import { until as soonUntil } from '../until.ts';
import { Client, type Program } from './client.ts';
import { ensurePeer } from './peer.ts';
import { type At, BARE_SHIM, makeMachine } from './places.ts';
import type { WindowSide } from './samples.ts';

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

/** What `npm run package` makes. */
export const vsix: string = join(projectRoot, 'dist/workspace-mcp.vsix');

export type BenchWindow = Awaited<ReturnType<typeof openWindow>>;

/**
 * @param at of a directory whose `workspace` is opened
 * @param peerFolder the peer's workspace: what one edits, the other's watchers must not see
 */
export async function openWindow(at: At, peerFolder = at('workspace')) {
  const peer = await ensurePeer();
  const folder = at('workspace');
  const places = {
    ...makeMachine(at),
    BENCH_SOCKET: at('floor.sock'),
    BENCH_PEER: join(dirname(peer), 'lib.js'),
    BENCH_ACTIVATIONS: at('activations'),
  };
  const host = await startHost({
    target: folder,
    installExtension: vsix,
    extensionDevelopmentPath: dirname(BARE_SHIM),
    userDataDir: allowingEdits(at('user')),
    env: places,
    report: console.error,
  });
  /** What its record says; undefined while it is away. */
  const record = (): WindowRecord | undefined => readRecords(at('home'))[0];
  await until('the window', record);
  /** The socket of the floor's server, or of the SDK's. */
  const socket = (side: WindowSide) => places.BENCH_SOCKET + (side === 'sdk' ? '.sdk' : '');
  const scripts = {
    ours: [at('home/shim.js')],
    floor: [BARE_SHIM],
    sdk: [BARE_SHIM],
    peer: [peer, peerFolder],
  };
  /** How each side is started. */
  const program = (side: WindowSide, command = projectNode()): Program => ({
    command,
    args: scripts[side],
    cwd: folder,
    env: { ...process.env, ...places, BENCH_SOCKET: socket(side) },
  });
  const connected: Client[] = [];
  return {
    folder,
    peerFolder,
    program,
    record,
    socket,
    /** One agent more of each of these sides. The SDK's server is loaded with the first one of it. */
    async connect<S extends WindowSide>(...sides: S[]): Promise<Record<S, Client>> {
      const clients = sides.map((side) => [side, new Client(program(side))] as const);
      for (const [, client] of clients) {
        connected.push(client);
        await client.initialize();
      }
      return Object.fromEntries(clients) as Record<S, Client>;
    },
    /** Reloads the window and tells what loading and activating one of its extensions took. */
    reload: (side: Activation['side']) => reload(host, places.BENCH_ACTIVATIONS, side),
    /** Ends its agents too. */
    async close() {
      for (const client of connected) await client.close();
      await host.close();
    },
  };
}

/** A profile: only the user's own settings can allow edits and commands without a question. */
function allowingEdits(directory: string): string {
  const settings = { 'workspaceMcp.approvals': { edit: 'allow', run: 'allow' } };
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
  const found = () =>
    lines()
      .slice(before)
      .map((line): Activation => JSON.parse(line))
      .find((one) => one.side === side);
  await soonUntil(() => found() !== undefined, 'the activation');
  return found() as Activation;
}
