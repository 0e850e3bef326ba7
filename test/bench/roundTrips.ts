/** Round trips of one call after another, and calls a second with several in flight. */
import type { Call, Caller, Calls } from './calls.ts';
import type { Client } from './client.ts';
import { type BySide, interleaved, ofEach, type Side, timed } from './samples.ts';

/** Clients that take turns; a side without a client is left out, and so is one without a call. */
type AnyClients = { [S in Side]?: Caller };

/** Milliseconds of each round trip. @param warmUp rounds that do not count */
export async function roundTrips(
  clients: AnyClients,
  calls: Calls,
  rounds: number,
  warmUp = Math.ceil(rounds / 5),
): Promise<BySide> {
  await requireResults(clients, calls);
  const sides = forEach(clients, calls, (call) => () => timed(call));
  await interleaved(warmUp, sides);
  return interleaved(rounds, sides);
}

/** Calls in one block, and blocks of each side. */
const BLOCK = 1000;
export const BLOCKS = 7;

/** Calls with so many in flight: calls a second, of each block, and milliseconds of each round trip. @param block calls in one block */
export async function inFlight(clients: AnyClients, calls: Calls, count: number, block = BLOCK) {
  const sides = forEach(clients, calls, (call) => () => runBlock(call, count, block));
  await interleaved(1, sides);
  const blocks = await interleaved(BLOCKS, sides);
  return {
    rate: ofEach(blocks, (list) => list.map(({ rate }) => rate)),
    time: ofEach(blocks, (list) => list.flatMap(({ times }) => times)),
  };
}

async function runBlock(call: () => Promise<Buffer>, count: number, block: number) {
  const times: number[] = [];
  let left = block;
  const worker = async () => {
    while (left-- > 0) times.push(await timed(call));
  };
  const time = await timed(() => Promise.all(Array.from({ length: count }, worker)));
  return { times, rate: (block / time) * 1000 };
}

function forEach<T>(
  clients: AnyClients,
  calls: Calls,
  make: (call: () => Promise<Buffer>) => T,
): { [S in Side]?: T } {
  const made = (Object.entries(calls) as [Side, Call][]).flatMap(([side, call]) => {
    const client = clients[side];
    return client ? [[side, make(() => call(client))] as const] : [];
  });
  return Object.fromEntries(made) as { [S in Side]?: T };
}

/** An error, or a text without content, would be measured as a fast answer. */
async function requireResults(clients: AnyClients, calls: Calls): Promise<void> {
  for (const [side, call] of Object.entries(forEach(clients, calls, (call) => call))) {
    const answer = JSON.parse((await call()).toString());
    if (answer.error || answer.result.isError || answer.result.content?.[0]?.text === '')
      throw new Error(`${side} answered with no result: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

/** MiB that the processes have in use. */
export const memoryOf = ({ ours, floor, peer }: Record<'ours' | 'floor' | 'peer', Client>): BySide => ({
  ours: [ours.residentSize()],
  floor: [floor.residentSize()],
  peer: [peer.residentSize()],
});
