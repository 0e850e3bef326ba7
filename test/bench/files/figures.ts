/** What the list of a large workspace costs: beside `rg --files`, and beside a file server that agents know. */
import { join } from 'node:path';
import { type Aim, atMost } from '../aims.ts';
import { type Call, type Calls, tool } from '../calls.ts';
import type { Client } from '../client.ts';
import { type At, inScratch } from '../places.ts';
import { roundTrips } from '../roundTrips.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWindow } from '../window.ts';
import { keptFigures } from './inProcess.ts';
import { FILE, FILES, FOLDER, writeTree } from './tree.ts';

export const fileFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage(`writing ${FILES.toLocaleString('en')} files`);
    writeTree(at('workspace'));
    return [...(await keptFigures(at('workspace'))), ...(await asked(at))];
  });

/** By an agent, in VS Code. */
async function asked(at: At): Promise<Row[]> {
  stage('opening the large workspace');
  const window = await openWindow(at);
  const { folder } = window;
  const clients = await window.connect('ours', 'floor', 'peer');
  const rows: Row[] = [];
  const measure = async (what: string, calls: Calls, rounds: number, aim?: Aim) => {
    stage(what);
    const samples = await roundTrips(clients, calls, rounds, Math.min(5, rounds));
    rows.push(row(what, 'ms', samples, aim));
  };
  const second = await cursorOf(clients.ours);
  await measure('`resources/list`, first page', { ours: page() }, 100, atMost(50));
  await measure('`resources/list`, a page in the midst', { ours: page(second) }, 100, atMost(50));
  const whole = { ours: allFiles, peer: tool('directory_tree', { path: folder }) };
  await measure('all files (`find_files`, 20 pages; `directory_tree`)', whole, 2);
  const named = {
    ours: tool('find_files', { query: '**/component-7.ts', limit: 5000 }),
    peer: tool('search_files', { path: folder, pattern: '**/component-7.ts' }),
  };
  await measure('2,000 files by a glob (`find_files`, `search_files`)', named, 2);
  const listed = {
    ours: tool('list_directory', { path: FOLDER }),
    peer: tool('list_directory_with_sizes', { path: join(folder, FOLDER) }),
  };
  await measure('one folder with sizes', listed, 200);
  const read = {
    ours: tool('read_file', { path: FILE }),
    peer: tool('read_text_file', { path: join(folder, FILE) }),
  };
  await measure('read one of them', read, 500);
  await window.close();
  return rows;
}

const page =
  (cursor?: string): Call =>
  (client) =>
    client.request('resources/list', cursor ? { cursor } : {});

/** The first page is there when the list is made. */
async function cursorOf(client: Client): Promise<string> {
  let cursor: string | undefined;
  for (let count = 0; count < 5; count++)
    cursor = JSON.parse((await page(cursor)(client)).toString()).result.nextCursor;
  return cursor ?? '';
}

const allFiles: Call = async (client) => {
  for (let cursor: string | undefined; ; ) {
    const all = { query: '', limit: 5000, maxCharacters: 2_000_000, ...(cursor && { cursor }) };
    const answer = await tool('find_files', all)(client);
    cursor = /cursor \\"([\w-]+)\\"/.exec(answer.toString())?.[1];
    if (!cursor) return answer;
  }
};
