/** Calls and bytes of eight tasks on a real code base: by these tools, and by a file server's. */
import { textsOf, writeZod } from '../code/zod.ts';
import { inScratch } from '../places.ts';
import { stage } from '../stage.ts';
import { markdown } from '../table.ts';
import { openWindow } from '../window.ts';
import { FileAgent } from './fileAgent.ts';
import { bytes, Meter, sum, type Tally } from './meter.ts';
import { TASKS } from './tasks.ts';
import { compareUses } from './uses.ts';

interface EconomyRow {
  title: string;
  ours: Tally;
  files: Tally;
  /** Lines that contain the name and are no use of the symbol. */
  falseHits?: number | undefined;
}

const HEADS = 'task|calls|in|out|files: calls|in|out|false hits|files ÷ this|aim|'.split('|');
/** How many times fewer bytes are aimed at, by a part of the title. */
const AIMS = { rename: 100, all: 10 };

/** A Markdown table with the aims. */
export const economyTable = (): Promise<string> =>
  inScratch(async (at) => {
    for (const name of ['workspace', 'peer']) writeZod(at(name));
    stage("opening zod's sources");
    const window = await openWindow(at, at('peer'));
    const clients = await window.connect('ours', 'floor', 'peer');
    const [agent, peer] = [new Meter(clients.ours), new Meter(clients.peer)];
    const rows: EconomyRow[] = [];
    const seen = new Map<string, Tally>();
    for (const { title, symbol, ours, files } of TASKS) {
      stage(title);
      const fileAgent = new FileAgent(peer, textsOf(at('peer')), seen);
      const uses = symbol && (await compareUses(agent, symbol, fileAgent.texts));
      agent.take(); // that was no part of the task
      await ours(agent);
      await files(fileAgent, uses?.files ?? new Set());
      rows.push({ title, ours: agent.take(), files: peer.take(), falseHits: uses?.falseHits });
    }
    await window.close();
    const [ours, files] = [sum(rows.map((row) => row.ours)), sum(rows.map((row) => row.files))];
    const all = { title: '**all**', ours, files };
    const once = { title: 'all, each file read once in all tasks', ours, files: sum([...seen.values()]) };
    return markdown(HEADS, [...rows, all, once].map(cellsOf));
  });

function cellsOf({ title, ours, files, falseHits }: EconomyRow): string[] {
  const ratio = bytes(files) / bytes(ours);
  const aim = /^rename/.test(title) ? AIMS.rename : /^\*\*all/.test(title) ? AIMS.all : undefined;
  return [
    ...[title, ...numbers(ours), ...numbers(files), `${falseHits ?? ''}`],
    ratio.toFixed(ratio < 10 ? 1 : 0),
    ...(aim ? [`≥ ${aim}`, ratio >= aim ? 'met' : 'missed'] : ['', '']),
  ];
}

const numbers = (tally: Tally): string[] =>
  [tally.calls, tally.in, tally.out].map((one) => one.toLocaleString('en'));
