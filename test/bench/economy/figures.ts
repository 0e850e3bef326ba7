/** Calls and bytes of ten tasks on a real code base: by these tools, with ripgrep in a shell, and by a file server's tools. */
import { join } from 'node:path';
import { findRipgrep } from '../../../src/disk/ripgrep.ts';
import { ensureHeadlessHost } from '../../host/headless/install.ts';
import { textsOf, writeZod } from '../code/zod.ts';
import { inScratch } from '../places.ts';
import { stage } from '../stage.ts';
import { markdown } from '../table.ts';
import { openWindow } from '../window.ts';
import { FileAgent } from './fileAgent.ts';
import { bytes, Meter, sum, type Tally } from './meter.ts';
import { ShellAgent } from './shellAgent.ts';
import { TASKS } from './tasks.ts';
import { compareUses } from './uses.ts';

interface EconomyRow {
  title: string;
  ours: Tally;
  shell?: Tally;
  files: Tally;
  /** Lines that contain the name and are no use of the symbol. */
  falseHits?: number | undefined;
}

const HEADS =
  'task|calls|in|out|rg: calls|in|out|files: calls|in|out|false hits|rg ÷ this|files ÷ this|aim|'.split('|');
/** How many times fewer bytes than with ripgrep and with files are aimed at, by the beginning of the title. */
const AIMS: [RegExp, { rg?: number; files?: number }][] = [
  [/^rename/, { rg: 1, files: 100 }],
  [/^\*\*all/, { rg: 4, files: 10 }],
  [/^all/, {}],
  [/^/, { rg: 1 }],
];

/** A Markdown table with the aims. */
export const economyTable = (): Promise<string> =>
  inScratch(async (at) => {
    for (const name of ['workspace', 'peer', 'shell']) writeZod(at(name));
    stage("opening zod's sources");
    const window = await openWindow(at, at('peer'));
    const clients = await window.connect('ours', 'floor', 'peer');
    const [agent, peer] = [new Meter(clients.ours), new Meter(clients.peer)];
    await loadProject(agent);
    const shellAgent = new ShellAgent(at('shell'), await ripgrep());
    const rows: EconomyRow[] = [];
    const seen = new Map<string, Tally>();
    for (const { title, symbol, ours, files, shell } of TASKS) {
      stage(title);
      const fileAgent = new FileAgent(peer, textsOf(at('peer')), seen);
      const uses = symbol && (await compareUses(agent, symbol, fileAgent.texts));
      agent.take(); // that was no part of the task
      await ours(agent);
      const used = uses?.files ?? new Set<string>();
      await files(fileAgent, used);
      shell(shellAgent, used);
      const tallies = { ours: agent.take(), shell: shellAgent.take(), files: peer.take() };
      rows.push({ title, ...tallies, falseHits: uses?.falseHits });
    }
    await window.close();
    const sumOf = (side: 'ours' | 'shell' | 'files') => sum(rows.flatMap((row) => row[side] ?? []));
    const [ours, files] = [sumOf('ours'), sumOf('files')];
    const all = { title: '**all**', ours, shell: sumOf('shell'), files };
    const once = { title: 'all, each file read once in all tasks', ours, files: sum([...seen.values()]) };
    return markdown(HEADS, [...rows, all, once].map(cellsOf));
  });

function cellsOf({ title, ours, shell, files, falseHits }: EconomyRow): string[] {
  const ratios = { rg: shell && bytes(shell) / bytes(ours), files: bytes(files) / bytes(ours) };
  const aims = Object.entries(AIMS.find(([pattern]) => pattern.test(title))?.[1] ?? {});
  const missed = aims.filter(([side, least]) => (ratios[side as 'rg' | 'files'] ?? 0) < least);
  return [
    ...[title, ...numbers(ours), ...(shell ? numbers(shell) : ['', '', '']), ...numbers(files)],
    ...[`${falseHits ?? ''}`, shown(ratios.rg), shown(ratios.files)],
    aims.map(([side, least]) => `${side} ≥ ${least}`).join(', '),
    aims.length === 0 ? '' : missed.length === 0 ? 'met' : 'missed',
  ];
}

const shown = (ratio: number | undefined): string => ratio?.toFixed(ratio < 10 ? 1 : 0) ?? '';

const numbers = (tally: Tally): string[] =>
  [tally.calls, tally.in, tally.out].map((one) => one.toLocaleString('en'));

/** On a busy machine this takes longer than a call waits. */
async function loadProject(agent: Meter): Promise<void> {
  for (let left = 10; ; left--)
    try {
      return void (await agent.call('find_references', TASKS[0]?.symbol ?? {}));
    } catch (error) {
      if (left === 0 || !String(error).includes('still loading')) throw error;
    }
}

/** VS Code's own. */
async function ripgrep(): Promise<string> {
  const { serverMain } = await ensureHeadlessHost(stage);
  return findRipgrep(join(serverMain, '../..')) ?? 'rg';
}
