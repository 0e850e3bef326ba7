/**
 * `npm run bench`: measures the packaged extension in a real VS Code, beside a bare echo on the same way and beside a file
 * server that agents know, all in one run. Prints a table; nothing is asserted. docs/performance.md has the last one.
 */
import { closeAll } from '../host/cleanup.ts';
import { allFigures } from './figures.ts';
import { PEER_VERSION } from './peer.ts';
import { stage } from './stage.ts';
import { table } from './table.ts';
import { openWindow } from './window.ts';

/** Milliseconds after which something hangs: it takes two minutes. */
const TIMEOUT = 10 * 60_000;

async function main(): Promise<void> {
  const started = performance.now();
  stage('opening the window');
  const window = await openWindow();
  const rows = await allFigures(window);
  await window.close();
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${table(rows)}\n`);
  console.log(`peer: @modelcontextprotocol/server-filesystem ${PEER_VERSION}. Measured in ${seconds} s.`);
}

const late = Promise.withResolvers<never>();
setTimeout(() => late.reject(new Error(`It took longer than ${TIMEOUT / 60_000} minutes.`)), TIMEOUT);
try {
  await Promise.race([main(), late.promise]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
