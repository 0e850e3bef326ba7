/** What the way costs, shim and socket: the same calls of the same server with it and without. */
import { join } from 'node:path';
import { ofSdk, overStdio, timesStdio } from '../aims.ts';
import { type Calls, peerReadCall, readCall } from '../calls.ts';
import { inScratch } from '../places.ts';
import { inFlight, roundTrips } from '../roundTrips.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWay, type Way } from './clients.ts';

const SMALL = { size: '1 KB', file: '1kb.txt', rounds: 3000, block: 1000, aim: overStdio(0.1) };
const LARGE = { size: '1 MB', file: '1mb.txt', rounds: 150, block: 64, aim: timesStdio(1.3) };

export const wayFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage('the way: opening');
    const way = await openWay(at);
    const rows = [...(await oneAfterAnother(way)), ...(await severalInFlight(way)), ...(await overHttp(way))];
    await way.close();
    return rows;
  });

async function oneAfterAnother({ clients, folder }: Way): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { size, file, rounds, aim } of [SMALL, LARGE]) {
    stage(`the way: read ${size}, one call after the other`);
    const samples = await roundTrips(clients, readBy(folder, file), rounds);
    rows.push(row(`way: read ${size}`, 'ms', samples, aim));
  }
  return rows;
}

async function severalInFlight({ clients, folder }: Way): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { size, file, block, aim } of [SMALL, LARGE]) {
    for (const count of [1, 8, 32]) {
      const measure = `way: read ${size}, ${count} in flight`;
      stage(measure);
      const { time, rate } = await inFlight(clients, readBy(folder, file), count, block);
      rows.push(row(measure, 'ms', time, aim));
      if (size === SMALL.size) rows.push(row(measure, '/s', rate));
    }
  }
  return rows;
}

async function overHttp({ byHttp, byWebSocket, folder }: Way): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { size, file, rounds } of [SMALL, LARGE]) {
    stage(`the way: read ${size} over HTTP and WebSocket`);
    const http = await roundTrips(byHttp, readBy(folder, file), rounds);
    rows.push(row(`way: read ${size}, HTTP`, 'ms', http, ofSdk(1.3)));
    rows.push(
      row(`way: read ${size}, WebSocket`, 'ms', await roundTrips(byWebSocket, readBy(folder, file), rounds)),
    );
  }
  return rows;
}

function readBy(folder: string, file: string): Calls {
  const call = readCall(file);
  return { ours: call, floor: call, stdio: call, sdk: call, peer: peerReadCall(join(folder, file)) };
}
