/** What is measured, with what is aimed at. */
import { statSync } from 'node:fs';
import { atMost, atMostMore, floorsRate, ofFloor, ofPeer, ofSdk, peersRate } from './aims.ts';
import { diagnosticsCalls, editCalls, readCalls, tool } from './calls.ts';
import type { Client } from './client.ts';
import { reloads } from './reloads.ts';
import { BLOCKS, inFlight, memoryOf, roundTrips } from './roundTrips.ts';
import { stage } from './stage.ts';
import { startUp } from './startUp.ts';
import { type Row, row } from './table.ts';
import { type BenchWindow, vsix } from './window.ts';
import { KB } from './workspace.ts';

const SIDES = ['ours', 'floor', 'sdk', 'peer'] as const;
type Clients = Record<(typeof SIDES)[number], Client>;

export async function allFigures(window: BenchWindow): Promise<Row[]> {
  const starts = await startUp(window);
  const clients = await window.connect(...SIDES);
  await tool('open_file', { path: 'problem.ts' })(clients.ours);
  const calls = [
    ...(await oneAfterAnother(window, clients)),
    ...(await ratesInFlight(window, clients)),
    row('shim memory after all calls', 'MiB', memoryOf(clients)),
    await memoryAfter(10_000, window),
  ];
  stage('sizes');
  const sizes = [
    row('package', 'KB', { ours: [statSync(vsix).size / KB] }, atMost(620)),
    row('`tools/list`', 'KB', { ours: [await listSize(clients.ours)], peer: [await listSize(clients.peer)] }),
  ];
  for (const client of Object.values(clients)) await client.close();
  return [...starts, ...calls, ...(await reloads(window)), ...sizes];
}

/** KB of the list of tools, which a model reads in every session. */
const listSize = async (client: Client): Promise<number> =>
  JSON.stringify(JSON.parse((await client.request('tools/list', {})).toString()).result.tools).length / KB;

/** The shim's memory with new agents, whose calls are all small. */
async function memoryAfter(count: number, window: BenchWindow): Promise<Row> {
  const measure = `shim memory after ${count.toLocaleString('en')} calls`;
  stage(measure);
  const clients = await window.connect(...SIDES);
  await inFlight(clients, readCalls(window, '1kb.txt', KB), 8, count / BLOCKS);
  const samples = memoryOf(clients);
  for (const client of Object.values(clients)) await client.close();
  return row(measure, 'MiB', samples, atMostMore(10));
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
    row('read 1 KB', 'ms', small, ofSdk(1.1)),
    row('read 1 MB', 'ms', large, ofPeer(0.8)),
    row('diagnostics of one file, warm', 'ms', diagnostics, ofSdk(1.4)),
    row('edit a TypeScript file', 'ms', code, ofFloor(1.2)),
    row('edit a text file', 'ms', text, atMost(60)),
  ];
}

async function ratesInFlight(window: BenchWindow, clients: Clients): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, calls, aim] of [
    ['diagnostics', diagnosticsCalls(window), floorsRate(0.4)],
    ['read 1 KB', readCalls(window, '1kb.txt', KB), peersRate],
  ] as const)
    for (const count of [1, 8, 32]) {
      const measure = `${what}, ${count} in flight`;
      stage(measure);
      const { rate } = await inFlight(clients, calls, count);
      rows.push(row(measure, '/s', rate, count === 32 || aim === peersRate ? aim : undefined));
    }
  return rows;
}
