/**
 * What keeping the list costs, in a plain Node process with `--expose-gc`, over the fake of VS Code and real files:
 * `inProcess.ts FOLDER`. Prints its samples as JSON.
 */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRipgrep, scopeArguments } from '../../../src/disk/ripgrep.ts';
import { Splitter } from '../../../src/util/splitter.ts';
import { Listing } from '../../../src/workspace/list/listing.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { interleaved, timed } from '../samples.ts';

const ROUNDS = 15;
const [, , folder = ''] = process.argv;
const { api } = FakeVscode.create({ folders: [folder] });

const listFiles = (stdio: StdioOptions) =>
  spawn(findRipgrep(api.env.appRoot) ?? 'rg', ['--files', '--null', ...scopeArguments(folder, [])], {
    ...{ cwd: folder, stdio },
  });

/** `rg --files` and its output as texts, each path one: nothing else is done with them. */
async function ripgrep(): Promise<string[]> {
  const child = listFiles(['ignore', 'pipe', 'inherit']);
  const paths: string[] = [];
  const splitter = new Splitter('\0', 4096, (path) => paths.push(path));
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => splitter.push(chunk));
  await once(child, 'close');
  return paths;
}

/** The same, with nobody who reads the output. */
const ripgrepAlone = () => once(listFiles('ignore'), 'close');

function used(): number {
  for (let count = 0; count < 3; count++) globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** Bytes that a list takes for each file, without its path: what three of them take more than one. */
async function memory(): Promise<number> {
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
async function update(): Promise<number> {
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

const several = async (ours: () => Promise<number>, rounds: number) =>
  (await interleaved(rounds, { ours })).ours;

const sides = {
  ours: () => timed(() => new Listing(api).files()),
  floor: () => timed(ripgrep),
  peer: () => timed(ripgrepAlone),
};
await interleaved(2, sides);
const { ours, floor = [], peer = [] } = await interleaved(ROUNDS, sides);
const lists = { built: ours, transferred: floor, alone: peer };
console.log(JSON.stringify({ ...lists, memory: await several(memory, 3), one: await several(update, 7) }));
