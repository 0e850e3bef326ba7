import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { ClientRoots } from '../../../src/server/clientRoots.ts';
import { itWithLinks } from '../../temporary.ts';
import { silent } from '../log.ts';
import { cleanUp, folderWith, real } from '../workspace/openWindow.ts';

/** On Windows it has a drive. */
const NOWHERE = pathToFileURL(resolve('/nowhere')).href;

/** A client with these roots, as the server sees it; without any where it does not declare them. */
const client = (roots: string[] | Error | undefined): Server =>
  ({
    getClientCapabilities: () => (roots ? { roots: {} } : {}),
    request: async () => {
      if (roots instanceof Error) throw roots;
      return { roots: roots?.map((uri) => ({ uri })) };
    },
  }) as unknown as Server;

async function pathsOf(...answers: Parameters<typeof client>): Promise<readonly string[] | undefined> {
  const roots = new ClientRoots(silent);
  roots.ask(client(...answers));
  await roots.known();
  return roots.paths;
}

describe('features/roots/clientRoots', () => {
  afterEach(cleanUp);

  itWithLinks('resolves links: the policy judges real paths', async () => {
    const folder = folderWith({ 'real/a.txt': '' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    assert.deepEqual(await pathsOf([pathToFileURL(join(folder, 'link')).href]), [real(folder, 'real')]);
  });

  const CASES: [what: string, roots: string[] | Error | undefined, paths: string[] | undefined][] = [
    ['a client that declares none narrows nothing', undefined, undefined],
    ['an empty list narrows nothing', [], undefined],
    ['a client that fails narrows nothing', new Error('closed'), undefined],
    ['what is no URI opens nothing', ['nonsense', ''], []],
    [
      'what is on no disk is named as the policy names it',
      ['mem:/a%20b/../c', 'mem://X%2By/d'],
      ['mem:///c', 'mem://x+y/d'],
    ],
    ['what is no URI is left out beside others', ['a', `${NOWHERE}/a%20b`], [resolve('/nowhere/a b')]],
  ];
  for (const [what, roots, paths] of CASES)
    it(what, async () => assert.deepEqual(await pathsOf(roots), paths));

  it('asks a client once more that says again and again that its roots changed', async () => {
    const answers = [[], [NOWHERE]];
    let [asked, told] = [0, 0];
    const changing = {
      getClientCapabilities: () => ({ roots: {} }),
      request: async () => ({ roots: (answers[asked++] ?? []).map((uri) => ({ uri })) }),
    } as unknown as Server;
    const roots = new ClientRoots(silent);
    roots.onDidChange(() => told++);
    await roots.known();
    for (let i = 0; i < 5; i++) roots.ask(changing);
    await roots.known();
    assert.deepEqual([asked, roots.paths], [2, [resolve('/nowhere')]]);
    assert.equal(told, 1, 'what was answered before is another thing now');
  });

  it('goes by an answer that comes late, and takes back a question that another one follows', async () => {
    const [slow, stopped] = [Promise.withResolvers<{ roots: object[] }>(), Promise.withResolvers<void>()];
    let told = 0;
    const late = {
      getClientCapabilities: () => ({ roots: {} }),
      request: (_: object, _schema: object, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => stopped.resolve());
        return slow.promise;
      },
    } as unknown as Server;
    const roots = new ClientRoots(silent, { patience: 10 });
    roots.onDidChange(() => told++);
    roots.ask(late);
    await roots.known();
    assert.equal(roots.paths, undefined, 'it is served without them');
    await delay(20);
    roots.ask(client([`${NOWHERE}/other`]));
    await stopped.promise;
    slow.resolve({ roots: [{ uri: NOWHERE }] });
    await roots.known();
    assert.deepEqual(roots.paths, [resolve('/nowhere/other')]);
    assert.equal(told, 2);
  });

  it('keeps what it knew where a later answer fails', async () => {
    const roots = new ClientRoots(silent);
    roots.ask(client([NOWHERE]));
    await roots.known();
    roots.ask(client(new Error('timeout')));
    await roots.known();
    assert.deepEqual(roots.paths, [resolve('/nowhere')]);
  });
});
