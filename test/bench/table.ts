/** The figures as a table, with the aims and whether they are met. */
import { type BySide, median, quantile } from './samples.ts';

export interface Row {
  measure: string;
  unit: string;
  samples: BySide;
  aim?: Aim;
}

export interface Aim {
  text: string;
  isMet(medians: Medians): boolean;
}

interface Medians {
  ours: number;
  floor: number;
  peer: number;
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
export const peersRate: Aim = { text: '≥ peer', isMet: ({ ours, peer }) => ours >= peer };

const HEAD = ['measure', 'this', 'floor', 'peer', 'this ÷ floor', 'this ÷ peer', 'aim', ''];

/** In Markdown: medians, with the 99th percentile in brackets where there are enough samples for one. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cells)];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cells({ measure, unit, samples, aim }: Row): string[] {
  const { ours, floor = [], peer = [] } = samples;
  const medians = { ours: median(ours), floor: median(floor), peer: median(peer) };
  return [
    measure,
    `${shown(ours)} ${unit}`,
    shown(floor),
    shown(peer),
    ratio(medians.ours, medians.floor),
    ratio(medians.ours, medians.peer),
    aim?.text ?? '',
    aim ? (aim.isMet(medians) ? 'met' : 'missed') : '',
  ];
}

function shown(samples: readonly number[]): string {
  if (samples.length === 0) return '';
  const worst = samples.length >= 50 ? ` (${digits(quantile(samples, 0.99))})` : '';
  return digits(median(samples)) + worst;
}

/** Three digits that count. */
const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value < 0.1 ? 2 : 3);

const ratio = (value: number, by: number): string => (Number.isNaN(by) ? '' : (value / by).toFixed(2));
