/** What is aimed at, judged by the medians of a row. */
import type { Side } from './samples.ts';

/** In the unit of the row; NaN for a side that was not measured. */
export type Medians = Record<Side, number>;

export interface Aim {
  text: string;
  isMet(medians: Medians): boolean;
}

export const atMost = (limit: number): Aim => ({ text: `≤ ${limit}`, isMet: ({ ours }) => ours <= limit });
export const atLeast = (limit: number): Aim => ({ text: `≥ ${limit}`, isMet: ({ ours }) => ours >= limit });
export const ofFloor = (ratio: number): Aim => ({
  text: `≤ ${ratio} × floor`,
  isMet: ({ ours, floor }) => ours <= ratio * floor,
});
export const ofPeer = (ratio: number): Aim => ({
  text: `≤ ${ratio} × peer`,
  isMet: ({ ours, peer }) => ours <= ratio * peer,
});
export const floorsRate = (ratio: number): Aim => ({
  text: `≥ ${ratio} × floor`,
  isMet: ({ ours, floor }) => ours >= ratio * floor,
});
export const peersRate: Aim = { text: '≥ peer', isMet: ({ ours, peer }) => ours >= peer };
export const atMostMore = (limit: number): Aim => ({
  text: `≤ ${limit} more`,
  isMet: ({ ours, floor }) => ours - floor <= limit,
});
export const overStdio = (limit: number): Aim => ({
  text: `< ${limit} more`,
  isMet: ({ ours, stdio }) => ours - stdio < limit,
});
export const timesStdio = (ratio: number): Aim => ({
  text: `< ${ratio} ×`,
  isMet: ({ ours, stdio }) => ours < ratio * stdio,
});
