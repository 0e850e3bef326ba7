/** A headless VS Code with the packaged extension and the floor on a large workspace, and the peer on the same files, or a copy. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { startHost } from '../../host/headless/host.ts';
import { projectNode } from '../../host/paths.ts';
import { Client, residentSize } from '../client.ts';
import { ensurePeer } from '../peer.ts';
import type { Clients } from '../roundTrips.ts';
import { vsix } from '../sizes.ts';
import { allowingEdits } from '../window.ts';

export interface FolderWindow {
  clients: Clients;
  /** One more agent; of the SDK's server, which is loaded only for that. */
  connect(side?: 'ours' | 'sdk'): Promise<Client>;
  /** Memory that the extension host has in use, in MiB. */
  residentSize(): number;
  close(): Promise<void>;
}

export async function openFolder(
  scratch: string,
  folder: string,
  peerFolder = folder,
): Promise<FolderWindow> {
  const peerProgram = await ensurePeer();
  const at = (name: string) => join(scratch, name);
  for (const name of ['home', 'run']) mkdirSync(at(name), { mode: 0o700 });
  const env = {
    ...process.env,
    WORKSPACE_MCP_HOME: at('home'),
    XDG_RUNTIME_DIR: at('run'),
    BENCH_SOCKET: at('floor.sock'),
    BENCH_ACTIVATIONS: at('activations'),
  };
  const floor = join(import.meta.dirname, '../floor');
  const host = await startHost({
    target: folder,
    installExtension: vsix,
    extensionDevelopmentPath: floor,
    userDataDir: allowingEdits(at('user')),
    env,
    report: console.error,
  });
  await until('the window', () => readRecords(at('home'))[0]);
  const client = (args: string[], more = {}) =>
    new Client({ command: projectNode(), cwd: folder, env: { ...env, ...more }, args });
  const agents = {
    ours: () => client([at('home/shim.js')]),
    sdk: () => client([join(floor, 'shim.cjs')], { BENCH_SOCKET: `${env.BENCH_SOCKET}.sdk` }),
  };
  const clients = {
    ours: agents.ours(),
    floor: client([join(floor, 'shim.cjs')]),
    peer: client([peerProgram, peerFolder]),
  };
  for (const one of Object.values(clients)) await one.initialize();
  const connected: Client[] = Object.values(clients);
  return {
    clients,
    connect: async (side = 'ours') => {
      const one = agents[side]();
      connected.push(one);
      await one.initialize();
      return one;
    },
    residentSize: () => residentSize(readRecords(at('home'))[0]?.pid),
    close: async () => {
      for (const one of connected) await one.close();
      await host.close();
    },
  };
}
