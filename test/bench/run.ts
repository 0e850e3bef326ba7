/**
 * `npm run bench`: measures the extension in a real VS Code, beside a bare echo on the same way and beside a file server
 * that agents know, all in one run. Prints a table; nothing is asserted. docs/performance.md has the last one.
 */
import { closeAll } from '../host/cleanup.ts';
import { diagnosticsCalls, editCalls, readCalls } from './calls.ts';
import { PEER_VERSION } from './peer.ts';
import { connectClients, roundTrips, throughput } from './roundTrips.ts';
import { packageSize, toolsList } from './sizes.ts';
import { measureStartUp } from './startUp.ts';
import { atLeast, atMost, ofFloor, ofPeer, peersRate, type Row, table } from './table.ts';
import { type BenchWindow, openWindow } from './window.ts';

const KB = 1024;

async function main(): Promise<void> {
  const started = performance.now();
  const window = await openWindow();
  const rows = [
    ...(await startUp(window)),
    ...(await calls(window)),
    ...(await activation(window)),
    { measure: 'package', unit: 'KB', samples: { ours: [packageSize()] }, aim: atMost(300) },
  ];
  await window.close();
  console.log(`${table(rows)}\n`);
  console.log(`Peer: @modelcontextprotocol/server-filesystem ${PEER_VERSION}.`);
  console.log(`Measured in ${Math.round((performance.now() - started) / 1000)} s.`);
}

async function startUp(window: BenchWindow): Promise<Row[]> {
  const measured = await measureStartUp(window);
  return [
    ...measured.map(({ node, time }) => ({
      measure: `shim start → \`initialize\` answered, Node ${node}`,
      unit: 'ms',
      samples: time,
      aim: ofFloor(1.25),
    })),
    ...measured.map(({ node, memory }) => ({
      measure: `shim memory, Node ${node}`,
      unit: 'MiB',
      samples: memory,
      ...(node === '24' && { aim: atMost(52) }),
    })),
  ];
}

async function calls(window: BenchWindow): Promise<Row[]> {
  const clients = await connectClients(window);
  await clients.ours.request('tools/call', { name: 'open_file', arguments: { path: 'problem.ts' } });
  const small = readCalls(window, '1kb.txt', KB);
  const large = readCalls(window, '1mb.txt', KB * KB);
  const ms = { unit: 'ms' };
  const rows: Row[] = [
    { measure: 'read 1 KB', ...ms, samples: await roundTrips(clients, small, 3000), aim: ofPeer(1) },
    { measure: 'read 1 MB', ...ms, samples: await roundTrips(clients, large, 150), aim: ofPeer(0.8) },
    {
      measure: 'diagnostics of one file, warm',
      ...ms,
      samples: await roundTrips(clients, diagnosticsCalls, 3000),
      aim: atMost(0.3),
    },
    ...(await edits(window, clients)),
  ];
  for (const inFlight of [1, 8, 32]) {
    const [diagnostics, read] = [
      await throughput(clients, diagnosticsCalls, inFlight),
      await throughput(clients, small, inFlight),
    ];
    const aims = inFlight === 32 ? [{ aim: atLeast(15_000) }, { aim: peersRate }] : [];
    rows.push({
      measure: `diagnostics, ${inFlight} in flight`,
      unit: '/s',
      samples: diagnostics,
      ...aims[0],
    });
    rows.push({ measure: `read 1 KB, ${inFlight} in flight`, unit: '/s', samples: read, ...aims[1] });
  }
  rows.push({ measure: '`tools/list`', unit: 'KB', samples: await toolsList(clients) });
  for (const client of Object.values(clients)) await client.close();
  return rows;
}

async function edits(
  window: BenchWindow,
  clients: Awaited<ReturnType<typeof connectClients>>,
): Promise<Row[]> {
  const samples = async (file: string) => roundTrips(clients, editCalls(window, file), 30);
  return [
    { measure: 'edit a text file', unit: 'ms', samples: await samples('edited.txt') },
    { measure: 'edit a TypeScript file, problems included', unit: 'ms', samples: await samples('edited.ts') },
  ];
}

async function activation(window: BenchWindow): Promise<Row[]> {
  const samples: number[] = [];
  for (let times = 0; times < 6; times++) {
    const { loading, activating } = await window.reload();
    samples.push(loading + activating);
  }
  return [
    {
      measure: 'loading and activating the extension',
      unit: 'ms',
      samples: { ours: samples },
      aim: atMost(10),
    },
  ];
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
