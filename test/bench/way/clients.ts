/** The same server behind three ways: the product's shim and socket, a bare shim and socket, and nothing but its stdio. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../../src/socket/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { own } from '../../host/cleanup.ts';
import { projectNode } from '../../host/paths.ts';
import { makeScratch } from '../../host/scratch.ts';
import { Client } from '../client.ts';
import type { WaySide } from '../samples.ts';
import { writeTexts } from '../workspace.ts';

export interface Way {
  clients: Record<WaySide, Client>;
  close(): Promise<void>;
}

const SERVER = join(import.meta.dirname, 'server.ts');
const BARE_SHIM = join(import.meta.dirname, '../floor/shim.cjs');

export async function openWay(): Promise<Way> {
  const scratch = makeScratch();
  const at = (name: string) => join(scratch.path, name);
  for (const name of ['home', 'run', 'workspace']) mkdirSync(at(name), { mode: 0o700 });
  writeTexts(at('workspace'));
  const places = {
    WORKSPACE_MCP_HOME: at('home'),
    XDG_RUNTIME_DIR: at('run'),
    BENCH_SOCKET: at('bare.sock'),
  };
  const node = { command: projectNode(), cwd: at('workspace'), env: { ...process.env, ...places } };
  const stopServer = startServer(node, at('workspace'));
  await until('the server', () => readRecords(at('home'))[0] && existsSync(at('bare.sock')));
  const clients = {
    ours: new Client({ ...node, args: [join(at('home'), 'shim.js')] }),
    floor: new Client({ ...node, args: [BARE_SHIM] }),
    stdio: new Client({ ...node, args: [SERVER, 'stdio', at('workspace')] }),
  };
  for (const client of Object.values(clients)) await client.initialize();
  const close = async () => {
    for (const client of Object.values(clients)) await client.close();
    await stopServer();
    scratch.remove();
  };
  return { clients, close };
}

/** The one that listens; it ends with its stdin, and so also when this process is killed. */
function startServer({ command, env }: { command: string; env: NodeJS.ProcessEnv }, folder: string) {
  const child = spawn(command, [SERVER, 'socket', folder], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const close = async () => {
    disown();
    child.stdin.end();
    await ended;
  };
  const disown = own({ close, kill: () => child.kill('SIGKILL') });
  return close;
}
