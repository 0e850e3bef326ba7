/** What is aimed at, judged by the medians of a row. */
import type { Side } from './samples.ts';

/** In the unit of the row; NaN for a side that was not measured. */
export type Medians = Record<Side, number>;

export interface Aim {
  text: string;
  isMet(medians: Medians): boolean;
}

const aim = (text: string, isMet: Aim['isMet']): Aim => ({ text, isMet });

export const atMost = (limit: number) => aim(`≤ ${limit}`, ({ ours }) => ours <= limit);
export const atLeast = (limit: number) => aim(`≥ ${limit}`, ({ ours }) => ours >= limit);
export const ofFloor = (ratio: number) =>
  aim(`≤ ${ratio} × floor`, ({ ours, floor }) => ours <= ratio * floor);
export const ofSdk = (ratio: number) => aim(`≤ ${ratio} × SDK`, ({ ours, sdk }) => ours <= ratio * sdk);
export const ofPeer = (ratio: number) => aim(`≤ ${ratio} × peer`, ({ ours, peer }) => ours <= ratio * peer);
export const floorsRate = (ratio: number) =>
  aim(`≥ ${ratio} × floor`, ({ ours, floor }) => ours >= ratio * floor);
export const peersRate = aim('≥ peer', ({ ours, peer }) => ours >= peer);
export const atMostMore = (limit: number) =>
  aim(`≤ ${limit} more`, ({ ours, floor }) => ours - floor <= limit);
export const overStdio = (limit: number) => aim(`< ${limit} more`, ({ ours, stdio }) => ours - stdio < limit);
export const timesStdio = (ratio: number) => aim(`< ${ratio} ×`, ({ ours, stdio }) => ours < ratio * stdio);
