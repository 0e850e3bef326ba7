import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { LinkedNames } from '../../../src/disk/linkedNames.ts';
import { NearDisk } from '../../../src/util/diskPaths.ts';
import { holdClock } from '../../fakes/clock.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('disk/linkedNames', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  /** A folder whose links are known, and the names of its file `a/x` in there, each time as they are a second later. */
  async function known() {
    const ws = folderWith({ 'a/x': '', 'b/x': '', '.d/y': '' });
    symlinkSync('a', join(ws, 'to'));
    symlinkSync('../to/x', join(ws, '.d/link'));
    const places = { deep: [ws], shallow: [join(ws, 'missing')] };
    const linked = new LinkedNames(
      new NearDisk(),
      () => places,
      () => false,
    );
    const names = async (of = 'a/x') => {
      await clock.pass(1_001);
      const links = await linked.now();
      return links
        .namesOf(join(ws, of))
        .names.map((name) => name.slice(ws.length + 1))
        .sort();
    };
    assert.deepEqual(await names(), ['.d/link', 'a/x', 'to/x']);
    assert.equal(await linked.now(), await linked.now());
    return { at: (name: string) => join(ws, name), linked, names };
  }

  itWithLinks('are the same object while nothing changes', async () => {
    const { linked, names } = await known();
    await new Promise((resolve) => setTimeout(resolve, 60)); // folders that changed just now are read again
    await names();
    const before = await linked.now();
    await names();
    assert.equal(await linked.now(), before);
  });

  itWithLinks('are those of a path in any case: some disks ignore it', async () => {
    const { names } = await known();
    assert.deepEqual(await names('A/X'), ['.d/link', 'A/X', 'to/X']);
  });

  const CHANGES: Record<string, [change: (at: (name: string) => string) => void, names: string[]]> = {
    'a link that comes': [
      (at) => symlinkSync('../a/x', at('.d/more')),
      ['.d/link', '.d/more', 'a/x', 'to/x'],
    ],
    'a link that comes, with the old time of its folder': [
      (at) => {
        symlinkSync('../a/x', at('.d/more'));
        utimesSync(at('.d'), 1, 1);
      },
      ['.d/link', '.d/more', 'a/x', 'to/x'],
    ],
    'a link that goes': [(at) => unlinkSync(at('.d/link')), ['a/x', 'to/x']],
    'a link on the way of another one': [
      (at) => {
        rmSync(at('to'));
        symlinkSync('b', at('to'));
      },
      ['a/x'],
    ],
    'a folder that comes with a link': [
      (at) => {
        mkdirSync(at('.e'));
        symlinkSync('../a', at('.e/sub'));
      },
      ['.d/link', '.e/sub/x', 'a/x', 'to/x'],
    ],
    'a folder where none was': [
      (at) => {
        mkdirSync(at('missing'));
        symlinkSync('../a', at('missing/sub'));
      },
      ['.d/link', 'a/x', 'missing/sub/x', 'to/x'],
    ],
    'a folder of a link that is renamed': [
      (at) => renameSync(at('.d'), at('.f')),
      ['.f/link', 'a/x', 'to/x'],
    ],
  };
  for (const [what, [change, expected]] of Object.entries(CHANGES))
    itWithLinks(`see ${what}`, async () => {
      const { at, names } = await known();
      change(at);
      assert.deepEqual(await names(), expected);
    });
});
