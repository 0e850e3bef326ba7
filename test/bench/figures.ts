/** What is measured, with what is aimed at. */
import { atMost, atMostMore, floorsRate, ofFloor, ofPeer, peersRate } from './aims.ts';
import { diagnosticsCalls, editCalls, readCalls } from './calls.ts';
import { reloads } from './reloads.ts';
import { BLOCKS, type Clients, connectClients, inFlight, memoryOf, roundTrips } from './roundTrips.ts';
import { packageSize, toolsList } from './sizes.ts';
import { stage } from './stage.ts';
import { measureStartUp } from './startUp.ts';
import type { Row } from './table.ts';
import type { BenchWindow } from './window.ts';
import { KB } from './workspace.ts';

const ms = { unit: 'ms' };
const MiB = { unit: 'MiB' };

export async function allFigures(window: BenchWindow): Promise<Row[]> {
  const starts = await startUp(window);
  const clients = await connectClients(window);
  await clients.ours.request('tools/call', { name: 'open_file', arguments: { path: 'problem.ts' } });
  const calls = [
    ...(await oneAfterAnother(window, clients)),
    ...(await ratesInFlight(window, clients)),
    { measure: 'shim memory after all calls', ...MiB, samples: memoryOf(clients) },
    await memoryAfter(10_000, window),
  ];
  stage('sizes');
  const sizes = [
    { measure: 'package', unit: 'KB', samples: { ours: [packageSize()] }, aim: atMost(600) },
    { measure: '`tools/list`', unit: 'KB', samples: await toolsList(clients) },
  ];
  for (const client of Object.values(clients)) await client.close();
  return [...starts, ...calls, ...(await reloads(window)), ...sizes];
}

async function startUp(window: BenchWindow): Promise<Row[]> {
  stage('start of the shim');
  const measured = await measureStartUp(window);
  return measured.flatMap(({ node, time, memory }) => [
    {
      measure: `shim start → \`initialize\` answered, Node ${node}`,
      ...ms,
      samples: time,
      aim: ofFloor(1.25),
    },
    {
      measure: `shim memory, Node ${node}`,
      ...MiB,
      samples: memory,
      ...(node === '24' && { aim: atMost(52) }),
    },
  ]);
}

/** Of new agents, whose calls are all small. */
async function memoryAfter(count: number, window: BenchWindow): Promise<Row> {
  const measure = `shim memory after ${count.toLocaleString('en')} calls`;
  stage(measure);
  const clients = await connectClients(window);
  await inFlight(clients, readCalls(window, '1kb.txt', KB), 8, count / BLOCKS);
  const samples = memoryOf(clients);
  for (const client of Object.values(clients)) await client.close();
  return { measure, ...MiB, samples, aim: atMostMore(10) };
}

async function oneAfterAnother(window: BenchWindow, clients: Clients): Promise<Row[]> {
  stage('reading, one call after the other');
  const small = await roundTrips(clients, readCalls(window, '1kb.txt', KB), 3000);
  const large = await roundTrips(clients, readCalls(window, '1mb.txt', KB * KB), 150);
  stage('diagnostics');
  const diagnostics = await roundTrips(clients, diagnosticsCalls(window), 3000);
  stage('edits');
  const code = await roundTrips(clients, editCalls(window, 'edited.ts'), 50);
  const text = await roundTrips(clients, editCalls(window, 'edited.txt'), 20);
  return [
    { measure: 'read 1 KB', ...ms, samples: small, aim: ofPeer(1) },
    { measure: 'read 1 MB', ...ms, samples: large, aim: ofPeer(0.8) },
    { measure: 'diagnostics of one file, warm', ...ms, samples: diagnostics, aim: atMostMore(0.15) },
    { measure: 'edit a TypeScript file', ...ms, samples: code, aim: ofFloor(1.3) },
    { measure: 'edit a text file', ...ms, samples: text, aim: atMost(60) },
  ];
}

async function ratesInFlight(window: BenchWindow, clients: Clients): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [measure, calls, aim] of [
    ['diagnostics', diagnosticsCalls(window), floorsRate(0.4)],
    ['read 1 KB', readCalls(window, '1kb.txt', KB), peersRate],
  ] as const) {
    for (const count of [1, 8, 32]) {
      stage(`${measure}, ${count} in flight`);
      const { rate } = await inFlight(clients, calls, count);
      rows.push({
        measure: `${measure}, ${count} in flight`,
        unit: '/s',
        samples: rate,
        ...((count === 32 || aim === peersRate) && { aim }),
      });
    }
  }
  return rows;
}
