/**
 * One server behind three ways: the product's shim and socket, a bare shim and socket, and nothing but its stdio.
 * Three processes, or one that two ways share would be found warm by the second. The fourth is the peer, over its stdio. Two more are
 * the product's HTTP and the SDK's, before the same server.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { projectNode } from '../../host/paths.ts';
import { Client } from '../client.ts';
import { ensurePeer } from '../peer.ts';
import { type At, BARE_SHIM, makeMachine, startServer } from '../places.ts';
import type { WaySide } from '../samples.ts';
import { writeTexts } from '../workspace.ts';
import { HttpClient, WebSocketClient } from './httpClients.ts';

const SERVER = join(import.meta.dirname, 'server.ts');

export type Way = Awaited<ReturnType<typeof openWay>>;

export async function openWay(at: At) {
  const [http, sdk] = [await freePort(), await freePort()];
  const ports = { BENCH_HTTP: `${http}`, BENCH_SDK_HTTP: `${sdk}` };
  const env = { ...process.env, ...makeMachine(at), BENCH_SOCKET: at('bare.sock'), ...ports };
  const folder = at('workspace');
  writeTexts(folder);
  const serverOf = (side: WaySide | 'http') => [SERVER, side, folder];
  const servers = (['ours', 'floor', 'http', 'sdk'] as const).map((side) => startServer(serverOf(side), env));
  await until('the servers', () => readRecords(at('home'))[0] && existsSync(at('bare.sock')));
  const client = (args: string[]) => new Client({ command: projectNode(), args, cwd: folder, env });
  const clients = {
    ours: client([at('home/shim.js')]),
    floor: client([BARE_SHIM]),
    stdio: client(serverOf('stdio')),
    peer: client([await ensurePeer(), folder]),
  };
  const byHttp = { ours: new HttpClient(http), sdk: new HttpClient(sdk), stdio: clients.stdio };
  await Promise.all([http, sdk].map(listens));
  const byWebSocket = { ours: new WebSocketClient(http), stdio: clients.stdio };
  const all = [...Object.values(clients), byHttp.ours, byHttp.sdk, byWebSocket.ours];
  for (const client of all) await client.initialize();
  const close = async () => {
    for (const client of all) await client.close();
    for (const stop of servers) await stop();
  };
  return { clients, byHttp, byWebSocket, folder, close };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const listens = (port: number): Promise<true> =>
  until(`port ${port}`, async () => {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true as const,
      () => undefined,
    );
    socket.destroy();
    return isThere;
  });
