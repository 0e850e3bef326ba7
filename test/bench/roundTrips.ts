/** Round trips of one call after another, and calls a second with several in flight. */
import type { Call, Calls } from './calls.ts';
import { Client } from './client.ts';
import { type BySide, interleaved, type Side, timed } from './samples.ts';
import type { BenchWindow } from './window.ts';

/** One long-lived client a side. */
export type Clients = Record<Side, Client>;

export async function connectClients(window: BenchWindow): Promise<Clients> {
  const clients = {
    ours: new Client(window.program('ours')),
    floor: new Client(window.program('floor')),
    peer: new Client(window.program('peer')),
  };
  for (const client of Object.values(clients)) await client.initialize();
  return clients;
}

/** Milliseconds of each round trip. @param warmUp rounds that do not count */
export async function roundTrips(
  clients: Clients,
  calls: Calls,
  rounds: number,
  warmUp = Math.ceil(rounds / 5),
): Promise<BySide> {
  await requireResults(clients, calls);
  const sides = forEach(calls, (call, side) => () => timed(() => call(clients[side])));
  await interleaved(warmUp, sides);
  return interleaved(rounds, sides);
}

/** Calls in one block, and blocks of each side. */
const BLOCK = 1000;
const BLOCKS = 7;

/** Calls a second with so many in flight. */
export async function throughput(clients: Clients, calls: Calls, inFlight: number): Promise<BySide> {
  const sides = forEach(calls, (call, side) => async () => {
    let left = BLOCK;
    const worker = async () => {
      while (left-- > 0) await call(clients[side]);
    };
    const time = await timed(() => Promise.all(Array.from({ length: inFlight }, worker)));
    return (BLOCK / time) * 1000;
  });
  await interleaved(1, sides);
  return interleaved(BLOCKS, sides);
}

function forEach<T>(calls: Calls, make: (call: Call, side: Side) => T): { [S in Side]?: T } {
  return Object.fromEntries(Object.entries(calls).map(([side, call]) => [side, make(call, side as Side)]));
}

/** An error would be measured as a fast answer. */
async function requireResults(clients: Clients, calls: Calls): Promise<void> {
  for (const [side, call] of Object.entries(calls)) {
    const answer = JSON.parse((await call(clients[side as Side])).toString());
    if (answer.error || answer.result.isError)
      throw new Error(`${side} answered with an error: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

/** MiB that the processes have in use. */
export const memoryOf = ({ ours, floor, peer }: Clients): BySide => ({
  ours: [ours.residentSize()],
  floor: [floor.residentSize()],
  peer: [peer.residentSize()],
});
