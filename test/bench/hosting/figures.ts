/** What hosting costs: a call of a hosted server, beside the SDK's client and a bare one without us; and a list with ten servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client as SdkClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { own } from '../../host/cleanup.ts';
import { projectNode } from '../../host/paths.ts';
import { makeScratch } from '../../host/scratch.ts';
import { program } from '../../wire/hosting/support.ts';
import { atLeast, atMostMore, ofPeer } from '../aims.ts';
import type { Call } from '../calls.ts';
import { Client } from '../client.ts';
import { inFlight, roundTrips } from '../roundTrips.ts';
import { stage } from '../stage.ts';
import type { Row } from '../table.ts';

const WINDOW = join(import.meta.dirname, 'window.ts');
const GATEWAY = join(import.meta.dirname, 'gateway.ts');
const BARE_SHIM = join(import.meta.dirname, '../floor/shim.cjs');
const ARGS = { value: 'hello' };
const echo =
  (name: string): Call =>
  (client) =>
    client.request('tools/call', { name, arguments: ARGS });
const list: Call = (client) => client.request('tools/list', {});

export async function hostingFigures(): Promise<Row[]> {
  const scratch = makeScratch();
  stage('hosting: opening');
  const [ten, none] = [await open(join(scratch.path, 'ten'), 10), await open(join(scratch.path, 'none'), 0)];
  const sdk = new SdkClient({ name: 'bench', version: '1' });
  await sdk.connect(new StdioClientTransport({ command: projectNode(), args: [program('sdkServer')] }));
  const gateway = await openGateway(join(scratch.path, 'gateway.sock'));
  const bare = new Client({
    command: projectNode(),
    args: [program('sdkServer')],
    cwd: '.',
    env: process.env,
  });
  await bare.initialize();
  const done = Buffer.from('{"result":{}}');
  const clients = { ours: ten.client, sdk: gateway.client, peer: bare };
  const calls = {
    ours: echo('sdk0__echo'),
    sdk: echo('echo'),
    peer: async () => {
      await sdk.callTool({ name: 'echo', arguments: ARGS });
      return done;
    },
  };
  stage('hosting: calls');
  const time = await roundTrips(clients, calls, 2000);
  const { rate } = await inFlight(clients, calls, 32);
  stage('hosting: lists');
  const lists = await roundTrips({ ours: ten.client, floor: none.client }, { ours: list, floor: list }, 500);
  for (const close of [ten.close, none.close, gateway.close, () => sdk.close(), () => bare.close()])
    await close();
  scratch.remove();
  return [
    { measure: 'hosted call (peer: the SDK’s client)', unit: 'ms', samples: time, aim: ofPeer(1.6) },
    { measure: 'hosted calls, 32 in flight', unit: '/s', samples: rate, aim: atLeast(8000) },
    {
      measure: '`tools/list` with 10 servers (floor: none)',
      unit: 'ms',
      samples: lists,
      aim: atMostMore(0.2),
    },
  ];
}

/** A window in a process of its own, and an agent of it. */
async function open(path: string, servers: number): Promise<Opened> {
  const at = (name: string) => join(path, name);
  for (const name of ['home', 'run', 'workspace']) mkdirSync(at(name), { recursive: true, mode: 0o700 });
  const env = { ...process.env, WORKSPACE_MCP_HOME: at('home'), XDG_RUNTIME_DIR: at('run') };
  const isOpen = () => readRecords(at('home'))[0];
  return opened(
    { env, cwd: at('workspace') },
    [WINDOW, at('workspace'), `${servers}`],
    isOpen,
    at('home/shim.js'),
  );
}

/** The gateway of the SDK, and an agent behind a bare shim. */
function openGateway(socket: string): Promise<Opened> {
  const env = { ...process.env, BENCH_SOCKET: socket };
  const isOpen = () => existsSync(socket) || undefined;
  return opened({ env, cwd: '.' }, [GATEWAY], isOpen, BARE_SHIM);
}

interface Opened {
  client: Client;
  close(): Promise<void>;
}

/** A server in a process of its own, which ends with its stdin, and an agent behind a shim. */
async function opened(
  place: { env: NodeJS.ProcessEnv; cwd: string },
  server: string[],
  isOpen: () => unknown,
  shim: string,
): Promise<Opened> {
  const child = spawn(projectNode(), server, { env: place.env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const end = async () => {
    child.stdin.end();
    await ended;
  };
  const disown = own({ close: end, kill: () => child.kill('SIGKILL') });
  await until('the server', isOpen);
  const client = new Client({ command: projectNode(), args: [shim], ...place });
  await client.initialize();
  const close = async () => {
    disown();
    await client.close();
    await end();
  };
  return { client, close };
}
