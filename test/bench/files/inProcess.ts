/** What keeping the list costs, in a plain Node process, over the fake of VS Code and real files. */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Splitter } from '../../../src/core/text/lines.ts';
import { findRipgrep, scopeArguments } from '../../../src/disk/ripgrep.ts';
import { Listing } from '../../../src/workspace/list/listing.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { atMost, ofFloor } from '../aims.ts';
import { interleaved, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';

type Api = FakeVscode['api'];

const ROUNDS = 15;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** The floor is ripgrep, and that its output is read as texts. */
export async function keptFigures(folder: string): Promise<Row[]> {
  stage('making the list, and keeping it');
  const { api } = FakeVscode.create({ folders: [folder] });
  const sides = {
    ours: () => timed(() => new Listing(api).files()),
    floor: () => timed(() => ripgrep(api, folder)),
    peer: () => timed(() => once(listFiles(api, folder, 'ignore'), 'close')),
  };
  await interleaved(2, sides);
  const { ours, floor = [], peer = [] } = await interleaved(ROUNDS, sides);
  const { ours: kept } = await interleaved(3, { ours: () => memory(api) });
  const { ours: updates } = await interleaved(7, { ours: () => update(api, folder) });
  return [
    row('list made (floor: `rg --files`, read)', 'ms', { ours, floor }, ofFloor(1.5)),
    row('list made (floor: `rg --files`, unread)', 'ms', { ours, floor: peer }),
    row('memory of a file, beyond its path', 'bytes', { ours: kept }, atMost(200)),
    row('1 file comes, and all are listed', 'ms', { ours: updates }),
  ];
}

const listFiles = (api: Api, folder: string, stdio: StdioOptions) =>
  spawn(findRipgrep(api.env.appRoot) ?? 'rg', ['--files', '--null', ...scopeArguments(folder, [])], {
    cwd: folder,
    stdio,
  });

/** `rg --files` and its output as texts, each path one: nothing else is done with them. */
async function ripgrep(api: Api, folder: string): Promise<string[]> {
  const child = listFiles(api, folder, ['ignore', 'pipe', 'inherit']);
  const paths: string[] = [];
  const splitter = new Splitter('\0', 4096, (path) => paths.push(path));
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => splitter.push(chunk));
  await once(child, 'close');
  return paths;
}

function used(): number {
  for (let count = 0; count < 3; count++) collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** Bytes that a list takes for each file, without its path: what three of them take more than one. */
async function memory(api: Api): Promise<number> {
  const made = async () => {
    const listing = new Listing(api);
    return { listing, list: await listing.files() };
  };
  const kept = [await made()];
  const before = used();
  for (let count = 0; count < 3; count++) kept.push(await made());
  const bytes = (used() - before) / 3;
  const paths = [...(kept.at(-1)?.list ?? [])].map(({ inside }) => Buffer.byteLength(inside));
  return (bytes - paths.reduce((sum, length) => sum + length, 0)) / paths.length;
}

/** Milliseconds from the word of a new file until a list that was asked for then has it. */
async function update(api: Api, folder: string): Promise<number> {
  const listing = new Listing(api);
  await listing.files();
  const path = join(folder, 'new.ts');
  writeFileSync(path, '');
  const time = await timed(async () => {
    listing.touch();
    await listing.files();
  });
  const isThere = (await listing.files()).has(api.Uri.file(path).toString());
  if (!isThere) throw new Error('The list does not have the new file.');
  rmSync(path);
  return time;
}
