/** What hosting costs: a call of a hosted server, beside the SDK's client and a bare one without us; and a list with ten servers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client as SdkClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { projectNode } from '../../host/paths.ts';
import { program } from '../../wire/hosting/support.ts';
import { atLeast, atMostMore, ofPeer } from '../aims.ts';
import { type Call, tool } from '../calls.ts';
import { Client, type Program } from '../client.ts';
import { type At, BARE_SHIM, inScratch, makeMachine, startServer } from '../places.ts';
import { inFlight, roundTrips } from '../roundTrips.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';

const ARGS = { value: 'hello' };
const list: Call = (client) => client.request('tools/list', {});

export const hostingFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage('hosting: opening');
    const windowWith = (name: string, servers: number) =>
      openWindow((inside) => at(join(name, inside)), servers);
    const [ten, none] = [await windowWith('ten', 10), await windowWith('none', 0)];
    const sdk = new SdkClient({ name: 'bench', version: '1' });
    const server = { command: projectNode(), args: [program('sdkServer')] };
    await sdk.connect(new StdioClientTransport(server));
    const gateway = await openGateway(at('gateway.sock'));
    const bare = new Client({ ...server, cwd: '.', env: process.env });
    await bare.initialize();
    const done = Buffer.from('{"result":{}}');
    const clients = { ours: ten.client, sdk: gateway.client, peer: bare };
    const calls = {
      ours: tool('sdk0__echo', ARGS),
      sdk: tool('echo', ARGS),
      peer: async () => {
        await sdk.callTool({ name: 'echo', arguments: ARGS });
        return done;
      },
    };
    stage('hosting: calls');
    const time = await roundTrips(clients, calls, 2000);
    const { rate } = await inFlight(clients, calls, 32);
    stage('hosting: lists');
    const windows = { ours: ten.client, floor: none.client };
    const lists = await roundTrips(windows, { ours: list, floor: list }, 500);
    for (const one of [ten, none, gateway, sdk, bare]) await one.close();
    return [
      row('hosted call (peer: the SDK’s client)', 'ms', time, ofPeer(1.6)),
      row('hosted calls, 32 in flight', '/s', rate, atLeast(8000)),
      row('`tools/list` with 10 servers (floor: none)', 'ms', lists, atMostMore(0.2)),
    ];
  });

function openWindow(at: At, servers: number) {
  const env = { ...process.env, ...makeMachine(at) };
  const cwd = at('workspace');
  const script = [join(import.meta.dirname, '../way/server.ts'), 'ours', cwd, `${servers}`];
  return opened(script, () => readRecords(at('home'))[0], { args: [at('home/shim.js')], cwd, env });
}

/** The gateway of the SDK, behind a bare shim. */
function openGateway(socket: string) {
  const env = { ...process.env, BENCH_SOCKET: socket };
  const script = [join(import.meta.dirname, 'gateway.ts')];
  return opened(script, () => existsSync(socket) || undefined, { args: [BARE_SHIM], cwd: '.', env });
}

/** A server in a process of its own, and an agent of it. */
async function opened(script: string[], isThere: () => unknown, shim: Omit<Program, 'command'>) {
  const closeServer = startServer(script, shim.env);
  await until('the server', isThere);
  const client = new Client({ command: projectNode(), ...shim });
  await client.initialize();
  const close = async () => {
    await client.close();
    await closeServer();
  };
  return { client, close };
}
