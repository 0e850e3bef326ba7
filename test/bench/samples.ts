/** Numbers that were measured, and what one says of them. */

/** @param share 0.5 for the median */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/**
 * Who is measured in VS Code: the extension, a bare echo on the same way, the SDK's server on that way, and
 * @modelcontextprotocol/server-filesystem.
 */
export type WindowSide = 'ours' | 'floor' | 'sdk' | 'peer';
/** By which way the product's server is reached: its own, a bare shim's, its own stdin and stdout, as the peer always is, or the SDK's HTTP. */
export type WaySide = 'ours' | 'floor' | 'stdio' | 'sdk';
export type Side = WindowSide | WaySide;

/** The samples of each side; another than ours may lack what is measured. */
export type BySide<T = number> = { ours: T[] } & { [S in Exclude<Side, 'ours'>]?: T[] };

/** One sample of each side, then the next of each: what disturbs the machine disturbs all of them. */
export async function interleaved<T>(
  rounds: number,
  sides: { [S in Side]?: () => Promise<T> },
): Promise<BySide<T>> {
  const samples: BySide<T> = { ours: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of Object.entries(sides) as [Side, () => Promise<T>][]) {
      const list = samples[side] ?? [];
      samples[side] = list;
      list.push(await measure());
    }
  }
  return samples;
}

/** What is made of the samples of each side. */
export const ofEach = <T, U>(samples: BySide<T>, make: (samples: T[]) => U[]): BySide<U> =>
  Object.fromEntries(
    Object.entries(samples).map(([side, list]) => [side, make(list)]),
  ) as unknown as BySide<U>;

/** Milliseconds that something takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
