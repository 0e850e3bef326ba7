/** Links that are swapped between check and use, by a process that does nothing else. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { itWithLinks } from '../../temporary.ts';
import { SECRET } from '../../unit/workspace/read/hostile/tree.ts';
import { type TestWindow, useMachine } from '../harness.ts';
import type { RawAgent } from '../rawAgent.ts';
import { plant } from '../testWindow.ts';

const SWAPPER = fileURLToPath(new URL('swapper.ts', import.meta.url));
const PATHS = ['x.txt', 'sub/x.txt'];
/** Calls of each kind. */
const ROUNDS = 15;

describe('wire: links swapped between check and use', () => {
  const machine = useMachine();
  let window: TestWindow;
  let agent: RawAgent;
  let swapper: ChildProcessWithoutNullStreams | undefined;

  /** A folder in which a file and a folder are now themselves and now links to where the secret is. */
  async function open(): Promise<void> {
    plant(join(machine.root, 'outside'), { 'x.txt': `open ${SECRET}\n`, 'canary.txt': SECRET });
    window = await machine.open({ trees: { ws: { 'a.txt': 'open\n' } } });
    window.fake.languageServer = () => [];
    window.consent.otherwise = () => ({ allow: 'once' });
    agent = await window.greeted();
    swapper = spawn(process.execPath, [SWAPPER, window.path(), join(machine.root, 'outside')]);
    await once(swapper.stdout, 'data');
  }

  async function stopSwapping(): Promise<void> {
    swapper?.stdin.end();
    if (swapper) await once(swapper, 'close');
    swapper = undefined;
  }

  afterEach(stopSwapping);

  async function answers(method: string, paramsOf: (path: string) => object): Promise<string[]> {
    const found: string[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const path of PATHS) {
        const { result, error } = await agent.request(method, paramsOf(path));
        found.push(JSON.stringify(result ?? error));
        agent.received.length = 0;
      }
    return found;
  }

  const call = (name: string, args: (path: string) => object) =>
    answers('tools/call', (path) => ({ name, arguments: args(path) }));

  itWithLinks('reads, lists and searches what is open or nothing, by tools and as resources', async () => {
    await open();
    const read: string[] = [];
    const isItself = (said: string) => said.includes('"open\\n"');
    const isLink = (said: string) => /outside|replaced/.test(said);
    // Both states have to be met, however seldom the swapper runs.
    while (!read.some(isItself) || !read.some(isLink))
      read.push(
        ...(await call('read_file', (path) => ({ path }))),
        ...(await answers('resources/read', (path) => ({ uri: window.uri(path) }))),
      );
    const listed = [
      ...(await call('list_directory', () => ({ path: 'sub' }))),
      ...(await call('search_text', () => ({ query: 'open', contextLines: 1 }))),
    ];
    await stopSwapping();
    for (const said of [...read, ...listed]) assert.ok(!said.includes(SECRET), said);
    for (const said of listed) assert.ok(!said.includes('canary'), said);
  });

  itWithLinks('edits nothing there without saying so, and never tells what is there', async () => {
    await open();
    const edits = (path: string) => ({ path, edits: [{ oldText: 'open', newText: 'edited' }] });
    const told = [
      ...(await call('edit_file', (path) => ({ ...edits(path), dryRun: true }))),
      ...(await call('edit_file', edits)),
    ];
    await stopSwapping();
    for (const said of told) assert.ok(!said.includes(SECRET), said);
    const isChanged = readFileSync(join(machine.root, 'outside/x.txt'), 'utf8') !== `open ${SECRET}\n`;
    const isTold = told.some((said) => /no longer the file you asked for|is not what was saved/.test(said));
    assert.ok(!isChanged || isTold, 'an edit went elsewhere and nobody was told');
  });
});
