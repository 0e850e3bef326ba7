/** The server of seed 004 on a real MariaDB of Debian's, in a temporary directory and at a port of its own: `npm run test:mysql`. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureFromDebian } from '../host/headless/debian.ts';
import { type ProcessGroup, spawnGroup } from '../host/headless/processGroup.ts';
import { ensurePackage } from '../packages.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { describeExchange } from './seed.ts';

const DATABASE = 'seed';

describe('MariaDB', () => {
  const directory = makeTemporary();
  let group: ProcessGroup | undefined;
  after(async () => {
    await group?.stop();
    removeTemporary(directory);
  });

  describeExchange(async () => {
    const port = await freePort();
    group = await startMariaDb(directory, port);
    await isReady(group.child.stderr);
    const modules = dirname(await ensurePackage('mysql2', '3.24.6'));
    return { modules, env: { MYSQL_PORT: `${port}`, MYSQL_DATABASE: DATABASE } };
  });
});

/** With a table `users`. Installs it if it is missing. */
async function startMariaDb(directory: string, port: number): Promise<ProcessGroup> {
  const program = await ensureFromDebian(['mariadbd'], 'mariadb-server-core', console.error);
  const start = join(directory, 'start.sql');
  const users = readFileSync(new URL('users.sql', import.meta.url), 'utf8');
  writeFileSync(start, `CREATE DATABASE ${DATABASE};\nUSE ${DATABASE};\n${users}`);
  return spawnGroup(program, [
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
