/**
 * The same server behind three ways: the product's shim and socket, a bare shim and socket, and nothing but its stdio.
 * Three processes, or one that two ways share would be found warm by the second. The fourth is the peer, over its stdio.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { own } from '../../host/cleanup.ts';
import { projectNode } from '../../host/paths.ts';
import { makeScratch } from '../../host/scratch.ts';
import { Client, type Program } from '../client.ts';
import { ensurePeer } from '../peer.ts';
import type { WaySide } from '../samples.ts';
import { writeTexts } from '../workspace.ts';

export interface Way {
  clients: Record<WaySide | 'peer', Client>;
  /** The workspace's folder. */
  folder: string;
  close(): Promise<void>;
}

const SERVER = join(import.meta.dirname, 'server.ts');
const BARE_SHIM = join(import.meta.dirname, '../floor/shim.cjs');

export async function openWay(): Promise<Way> {
  const scratch = makeScratch();
  const at = (name: string) => join(scratch.path, name);
  for (const name of ['home', 'run', 'workspace']) mkdirSync(at(name), { mode: 0o700 });
  const folder = at('workspace');
  writeTexts(folder);
  const serverOf = (side: WaySide) => [SERVER, side, folder];
  const places = {
    WORKSPACE_MCP_HOME: at('home'),
    XDG_RUNTIME_DIR: at('run'),
    BENCH_SOCKET: at('bare.sock'),
  };
  const node = { command: projectNode(), cwd: folder, env: { ...process.env, ...places } };
  const servers = (['ours', 'floor'] as const).map((side) => startServer(node, serverOf(side)));
  await until('the servers', () => readRecords(at('home'))[0] && existsSync(at('bare.sock')));
  const clients = {
    ours: new Client({ ...node, args: [join(at('home'), 'shim.js')] }),
    floor: new Client({ ...node, args: [BARE_SHIM] }),
    stdio: new Client({ ...node, args: serverOf('stdio') }),
    peer: new Client({ ...node, args: [await ensurePeer(), folder] }),
  };
  for (const client of Object.values(clients)) await client.initialize();
  const close = async () => {
    for (const client of Object.values(clients)) await client.close();
    for (const stop of servers) await stop();
    scratch.remove();
  };
  return { clients, folder, close };
}

/** One that listens; it ends with its stdin, and so also when this process is killed. */
function startServer({ command, env }: Omit<Program, 'args'>, args: string[]) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const close = async () => {
    disown();
    child.stdin.end();
    await ended;
  };
  const disown = own({ close, kill: () => child.kill('SIGKILL') });
  return close;
}
