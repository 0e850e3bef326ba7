/**
 * `npm run bench`: measures the way from an agent to the server, beside the same server without it, and the packaged
 * extension in a real VS Code, beside a bare echo on the same way and beside a file server that agents know, all in one
 * run. Prints two tables; nothing is asserted. docs/performance.md has the last ones. `npm run bench -- way` and
 * `npm run bench -- window` measure one of the two.
 */
import { loadavg } from 'node:os';
import { closeAll } from '../host/cleanup.ts';
import { allFigures } from './figures.ts';
import { PEER_VERSION } from './peer.ts';
import { stage } from './stage.ts';
import { type Row, table, wayTable } from './table.ts';
import { wayFigures } from './way/figures.ts';
import { openWindow } from './window.ts';

/** Milliseconds after which something hangs: it takes four minutes. */
const TIMEOUT = 10 * 60_000;

/** @param part `window` or `way` for that alone */
async function main(part?: string): Promise<void> {
  const started = performance.now();
  if (part !== 'window') console.log(`${wayTable(await wayFigures())}\n`);
  if (part !== 'way') console.log(`${table(await windowFigures())}\n`);
  const seconds = Math.round((performance.now() - started) / 1000);
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `peer: @modelcontextprotocol/server-filesystem ${PEER_VERSION}. Measured in ${seconds} s with a load of ${load}.`,
  );
}

async function windowFigures(): Promise<Row[]> {
  stage('opening the window');
  const window = await openWindow();
  const rows = await allFigures(window);
  await window.close();
  return rows;
}

const late = Promise.withResolvers<never>();
setTimeout(() => late.reject(new Error(`It took longer than ${TIMEOUT / 60_000} minutes.`)), TIMEOUT);
try {
  await Promise.race([main(process.argv[2]), late.promise]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
