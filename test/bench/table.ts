/** The figures as tables, with the aims and whether they are met. */
import type { Aim, Medians } from './aims.ts';
import { type BySide, median, quantile, type Side } from './samples.ts';

export interface Row {
  measure: string;
  unit: string;
  samples: BySide;
  aim: Aim | undefined;
}

export const row = (measure: string, unit: string, samples: BySide, aim?: Aim): Row => ({
  measure,
  unit,
  samples,
  aim,
});

type Column = [head: string, cell: (row: Row, medians: Medians) => string];

const MEASURE: Column = ['measure', ({ measure }) => measure];
const OURS: Column = ['this', ({ samples, unit }) => `${shown(samples.ours)} ${unit}`];
const AIM: Column[] = [
  ['aim', ({ aim }) => aim?.text ?? ''],
  ['', ({ aim }, medians) => (aim ? (aim.isMet(medians) ? 'met' : 'missed') : '')],
];
const of = (side: Side, head: string = side): Column => [head, ({ samples }) => shown(samples[side] ?? [])];
const over = (side: Side, head: string = side): Column => [
  `this ÷ ${head}`,
  (_, medians) => (Number.isNaN(medians[side]) ? '' : (medians.ours / medians[side]).toFixed(2)),
];
/** In the unit of the row. */
const less = (side: Side, head: string): Column => [
  `this − ${head}`,
  (_, medians) => signed(medians.ours - medians[side]),
];

const RATIOS = [over('floor'), over('peer'), ...AIM];
const COLUMNS = [MEASURE, OURS, of('floor'), of('peer'), ...RATIOS];
export const SDK_COLUMNS = [MEASURE, OURS, of('floor'), of('sdk', 'SDK'), of('peer'), ...RATIOS];

const WAY = 'bare stdio';
/** For the way alone: the same server with and without it, behind the SDK's HTTP, and the peer. */
export const WAY_COLUMNS = [
  ...[MEASURE, OURS, of('floor', 'bare shim'), of('stdio', WAY), of('sdk', "SDK's HTTP"), of('peer')],
  ...[less('stdio', WAY), over('stdio', WAY), over('sdk', "SDK's HTTP"), ...AIM],
];

/** For tools and the commands that they ask, called in the extension host, and by the SDK's own server. */
export const LANGUAGE_COLUMNS = [
  ...[MEASURE, OURS, of('floor', 'command'), of('sdk', 'SDK')],
  ...[less('floor', 'command'), less('sdk', 'SDK'), ...AIM],
];

/** In Markdown: medians, with the 99th percentile in brackets where there are enough samples. */
export const table = (rows: readonly Row[], columns: readonly Column[] = COLUMNS): string =>
  markdown(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, cell]) => cell(row, mediansOf(row.samples)))),
  );

export function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const mediansOf = ({ ours, floor = [], sdk = [], peer = [], stdio = [] }: BySide): Medians => ({
  ours: median(ours),
  floor: median(floor),
  sdk: median(sdk),
  peer: median(peer),
  stdio: median(stdio),
});

function shown(samples: readonly number[]): string {
  if (samples.length === 0) return '';
  const worst = samples.length >= 50 ? ` (${digits(quantile(samples, 0.99))})` : '';
  return digits(median(samples)) + worst;
}

/** Three digits that count. */
export const digits = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toPrecision(Math.abs(value) < 0.1 ? 2 : 3);

const signed = (value: number): string => (value < 0 ? `−${digits(-value)}` : `+${digits(value)}`);
