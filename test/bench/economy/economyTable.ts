/** The figures as a Markdown table, with the aims. */
import { markdown } from '../table.ts';
import type { EconomyRow } from './figures.ts';
import { bytes, sum, type Tally } from './meter.ts';

const HEADS = [
  'task',
  'calls',
  'in',
  'out',
  'files: calls',
  'in',
  'out',
  'false hits',
  'files ÷ this',
  'aim',
  '',
];
/** How many times fewer bytes are aimed at, by a part of the title. */
const AIMS = { rename: 100, all: 10 };

export function economyTable(rows: readonly EconomyRow[]): string {
  const compared = rows.filter(({ ours }) => ours);
  const [ours, files, again] = [
    sum(compared.map(({ ours }) => ours ?? sum([]))),
    sum(compared.map((row) => row.files)),
    sum(compared.map((row) => row.again)),
  ];
  const once = { calls: files.calls - again.calls, in: files.in - again.in, out: files.out - again.out };
  const totals = [
    { title: '**all**', ours, files },
    { title: 'all, each file read once in all tasks', ours, files: once },
  ];
  return markdown(HEADS, [...rows, ...totals].map(cellsOf));
}

function cellsOf({
  title,
  ours,
  files,
  falseHits,
}: Omit<EconomyRow, 'again' | 'falseHits'> & { falseHits?: number | undefined }): string[] {
  const ratio = ours && bytes(files) / bytes(ours);
  const aim = /^rename/.test(title) ? AIMS.rename : /^\*\*all/.test(title) ? AIMS.all : undefined;
  return [
    title,
    ...(ours ? numbers(ours) : ['not there yet', '', '']),
    ...numbers(files),
    falseHits === undefined ? '' : `${falseHits}`,
    ratio ? ratio.toFixed(ratio < 10 ? 1 : 0) : '',
    ...(aim && ratio ? [`≥ ${aim}`, ratio >= aim ? 'met' : 'missed'] : ['', '']),
  ];
}

const numbers = (tally: Tally): string[] =>
  [tally.calls, tally.in, tally.out].map((one) => one.toLocaleString('en'));
