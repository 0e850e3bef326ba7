/** A MariaDB of Debian's, in a temporary directory and at a port of its own. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureFromDebian } from '../host/headless/debian.ts';
import { spawnGroup } from '../host/headless/processGroup.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';

const DATABASE = 'seed';

export interface MariaDb {
  /** What a server's `env` has to say to connect to it. */
  env: Record<string, string>;
  /** Ends it; nothing is left. */
  stop(): Promise<void>;
}

/** Starts it with a table `users`; installs it if it is missing. */
export async function startMariaDb(): Promise<MariaDb> {
  const program = await ensureFromDebian(['mariadbd'], 'mariadb-server-core', console.error);
  const directory = makeTemporary();
  const start = join(directory, 'start.sql');
  const users = readFileSync(new URL('users.sql', import.meta.url), 'utf8');
  writeFileSync(start, `CREATE DATABASE ${DATABASE};\nUSE ${DATABASE};\n${users}`);
  const port = await freePort();
  const group = await spawnGroup(program, [
    '--no-defaults',
    `--datadir=${directory}`,
    `--socket=${join(directory, 'socket')}`,
    `--pid-file=${join(directory, 'pid')}`,
    `--init-file=${start}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--character-set-server=utf8mb4',
    // There are no tables of users and rights, which only an installation makes.
    '--skip-grant-tables',
    '--skip-networking=OFF',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ]);
  const stop = async () => {
    await group.stop();
    removeTemporary(directory);
  };
  try {
    await isReady(group.child.stderr);
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: { MYSQL_PORT: `${port}`, MYSQL_DATABASE: DATABASE }, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** @throws with its log if it ends before */
async function isReady(log: NodeJS.ReadableStream | null): Promise<void> {
  if (!log) return;
  const lines = [];
  for await (const line of createInterface({ input: log })) {
    lines.push(line);
    if (!line.includes('ready for connections')) continue;
    log.resume(); // a full pipe would stop it
    return;
  }
  throw new Error(`MariaDB did not start.\n${lines.join('\n')}`);
}
