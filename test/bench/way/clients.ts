/**
 * The same server behind three ways: the product's shim and socket, a bare shim and socket, and nothing but its stdio.
 * Three processes, or one that two ways share would be found warm by the second. The fourth is the peer, over its stdio.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { projectNode } from '../../host/paths.ts';
import { Client } from '../client.ts';
import { ensurePeer } from '../peer.ts';
import { type At, BARE_SHIM, makeMachine, startServer } from '../places.ts';
import type { WaySide } from '../samples.ts';
import { writeTexts } from '../workspace.ts';

const SERVER = join(import.meta.dirname, 'server.ts');

export type Way = Awaited<ReturnType<typeof openWay>>;

export async function openWay(at: At) {
  const env = { ...process.env, ...makeMachine(at), BENCH_SOCKET: at('bare.sock') };
  const folder = at('workspace');
  writeTexts(folder);
  const serverOf = (side: WaySide) => [SERVER, side, folder];
  const servers = (['ours', 'floor'] as const).map((side) => startServer(serverOf(side), env));
  await until('the servers', () => readRecords(at('home'))[0] && existsSync(at('bare.sock')));
  const client = (args: string[]) => new Client({ command: projectNode(), args, cwd: folder, env });
  const clients = {
    ours: client([at('home/shim.js')]),
    floor: client([BARE_SHIM]),
    stdio: client(serverOf('stdio')),
    peer: client([await ensurePeer(), folder]),
  };
  for (const client of Object.values(clients)) await client.initialize();
  const close = async () => {
    for (const client of Object.values(clients)) await client.close();
    for (const stop of servers) await stop();
  };
  return { clients, folder, close };
}
