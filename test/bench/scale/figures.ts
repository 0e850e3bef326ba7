/** What a call takes, and the extension host's memory, as files and agents become more. */
import { pathToFileURL } from 'node:url';
import { tool } from '../calls.ts';
import { type Client, residentSize } from '../client.ts';
import { FILE, writeTree } from '../files/tree.ts';
import { inScratch } from '../places.ts';
import { roundTrips } from '../roundTrips.ts';
import { median } from '../samples.ts';
import { stage } from '../stage.ts';
import { digits, markdown } from '../table.ts';
import { type BenchWindow, openWindow } from '../window.ts';

const FILES = [100, 10_000, 100_000];
const AGENTS = [1, 10, 50];
const ROUNDS = 500;

const CALLS = {
  read_file: { path: FILE },
  get_diagnostics: { paths: [FILE] },
  list_directory: { path: 'packages' },
};

/** A Markdown table: milliseconds of the first agent's calls (medians), while the others are connected and follow a file. */
export async function scaleTable(): Promise<string> {
  const rows: string[][] = [];
  for (const files of FILES)
    await inScratch(async (at) => {
      stage(`writing ${files} files`);
      writeTree(at('workspace'), files);
      const window = await openWindow(at);
      rows.push(...(await withAgents(window, files, pathToFileURL(at(`workspace/${FILE}`)).href)));
      await window.close();
    });
  return markdown(['files', 'agents', ...Object.keys(CALLS), 'memory'], rows);
}

async function withAgents(window: BenchWindow, files: number, uri: string): Promise<string[][]> {
  const { ours } = await window.connect('ours', 'floor', 'peer');
  const agents = [ours];
  const rows: string[][] = [];
  for (const count of AGENTS) {
    stage(`${files} files, ${count} agents`);
    while (agents.length < count) agents.push((await window.connect('ours')).ours);
    for (const agent of agents) await agent.request('resources/subscribe', { uri });
    const times = await medians(ours);
    const memory = `${digits(residentSize(window.record()?.pid))} MiB`;
    rows.push([files.toLocaleString('en'), `${count}`, ...times.map((time) => `${digits(time)} ms`), memory]);
  }
  return rows;
}

async function medians(ours: Client): Promise<number[]> {
  const found: number[] = [];
  for (const [name, args] of Object.entries(CALLS))
    found.push(median((await roundTrips({ ours }, { ours: tool(name, args) }, ROUNDS, 0)).ours));
  return found;
}
