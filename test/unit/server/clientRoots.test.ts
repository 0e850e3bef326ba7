import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { ClientRoots } from '../../../src/server/clientRoots.ts';
import { holdClock } from '../../fakes/clock.ts';
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

describe('server/clientRoots', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  itWithLinks('resolves links: the policy judges real paths', async () => {
    const folder = folderWith({ 'real/a.txt': '' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    assert.deepEqual(await pathsOf([pathToFileURL(join(folder, 'link')).href]), [real(folder, 'real')]);
  });

  it('takes a bare path, and what is not encoded: as what is there', async () => {
    const question = process.platform === 'win32' ? [] : ['why?'];
    const folders = ['plain', 'c#-app', '100% done', ...question, 'a b'];
    const base = folderWith(Object.fromEntries(folders.map((name) => [`${name}/a`, ''])));
    const whole = (name: string) => join(base, name);
    const slashed = (name: string) => `/${whole(name).replaceAll('\\', '/')}`.replace('//', '/');
    const roots = [
      whole('plain'),
      ...['c#-app', '100% done', ...question, 'a%20b'].map((name) => `file://${slashed(name)}`),
      pathToFileURL(whole('a b')).href,
      `vscode-remote://wsl%2Bubuntu${slashed('plain')}`,
      ...(process.platform === 'win32' ? [] : [`file://wsl.localhost/Ubuntu${slashed('plain')}`]),
      'vscode-remote://wsl%2Bubuntu/nowhere',
      ...(process.platform === 'win32' ? [] : ['file://plain']), // there it is a share
    ];
    const names = [...folders, 'a b', 'plain', ...(process.platform === 'win32' ? [] : ['plain'])];
    assert.deepEqual(await pathsOf(roots), [
      ...names.map((name) => real(base, name)),
      'vscode-remote://wsl+ubuntu/nowhere',
    ]);
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

  it('goes by an answer that comes late', async () => {
    const slow = Promise.withResolvers<{ roots: object[] }>();
    let told = 0;
    const roots = new ClientRoots(silent);
    roots.onDidChange(() => told++);
    roots.ask({ ...client([]), request: () => slow.promise } as unknown as Server);
    const known = roots.known();
    await clock.pass(2_000);
    await known;
    assert.equal(roots.paths, undefined, 'it is served without them');
    slow.resolve({ roots: [{ uri: NOWHERE }] });
    await slow.promise;
    await Promise.resolve();
    assert.deepEqual([roots.paths, told], [[resolve('/nowhere')], 1]);
  });

  it('cancels a request that another one follows, and waits for the last', async () => {
    const [slow, last] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
    const signals: AbortSignal[] = [];
    const roots = new ClientRoots(silent);
    const ask = (promise: Promise<object>) => {
      const request = (_: object, _schema: object, { signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        return promise;
      };
      roots.ask({ ...client([]), request } as unknown as Server);
    };
    ask(slow.promise);
    const known = roots.known();
    ask(last.promise);
    slow.resolve({ roots: [{ uri: NOWHERE }] });
    await slow.promise;
    last.resolve({ roots: [{ uri: `${NOWHERE}/other` }] });
    await known;
    assert.deepEqual(roots.paths, [resolve('/nowhere/other')]);
    const ends = signals.map(({ aborted }) => aborted);
    assert.deepEqual(ends, [true, false]);
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
