/** Numbers that were measured, and what one says of them. */

/** @param share 0.5 for the median */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** Who is measured: the extension, a bare echo on the same way, and @modelcontextprotocol/server-filesystem. */
export type Side = 'ours' | 'floor' | 'peer';

/** The samples of each side; a peer may lack what is measured. */
export type BySide = { ours: number[]; floor?: number[]; peer?: number[] };

/** One sample of each side, then the next of each: what disturbs the machine disturbs all of them. */
export async function interleaved(
  rounds: number,
  sides: { [S in Side]?: () => Promise<number> },
): Promise<BySide> {
  const samples: BySide = { ours: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of Object.entries(sides) as [Side, () => Promise<number>][]) {
      const list = samples[side] ?? [];
      samples[side] = list;
      list.push(await measure());
    }
  }
  return samples;
}

/** Milliseconds that something takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
