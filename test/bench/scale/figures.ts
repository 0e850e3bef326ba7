/** What a call takes, and the extension host's memory, as files and agents become more. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeScratch } from '../../host/scratch.ts';
import type { Client } from '../client.ts';
import { type FolderWindow, openFolder } from '../code/window.ts';
import { FILE, writeTree } from '../files/tree.ts';
import { median, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { digits, markdown } from '../table.ts';

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
  for (const files of FILES) {
    const scratch = makeScratch();
    const folder = join(scratch.path, 'workspace');
    stage(`writing ${files} files`);
    writeTree(folder, files);
    const window = await openFolder(scratch.path, folder);
    rows.push(...(await withAgents(window, files, pathToFileURL(join(folder, FILE)).href)));
    await window.close();
    scratch.remove();
  }
  return markdown(['files', 'agents', ...Object.keys(CALLS), 'memory'], rows);
}

async function withAgents(window: FolderWindow, files: number, uri: string): Promise<string[][]> {
  const agents: Client[] = [window.clients.ours];
  const rows: string[][] = [];
  for (const count of AGENTS) {
    stage(`${files} files, ${count} agents`);
    while (agents.length < count) agents.push(await window.connect());
    for (const agent of agents) await agent.request('resources/subscribe', { uri });
    const times = await medians(window.clients.ours);
    const memory = `${digits(window.residentSize())} MiB`;
    rows.push([files.toLocaleString('en'), `${count}`, ...times.map((time) => `${digits(time)} ms`), memory]);
  }
  return rows;
}

async function medians(agent: Client): Promise<number[]> {
  const found: number[] = [];
  for (const [name, args] of Object.entries(CALLS)) {
    const call = () => agent.request('tools/call', { name, arguments: args });
    const { result } = JSON.parse((await call()).toString());
    if (!result || result.isError) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++) samples.push(await timed(call));
    found.push(median(samples));
  }
  return found;
}
