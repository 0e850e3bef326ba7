import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireCached } from '../../../src/ui/requireCached.ts';
import { holdClock } from '../../fakes/clock.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('ui/requireCached', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const require = createRequire(import.meta.url);
  const codeOf = (text: string) =>
    `exports.sep = require('node:path').sep; exports.here = __dirname; exports.text = '${text}';`;
  const load = (folder: string) => {
    const path = join(folder, 'a.cjs');
    delete require.cache[path]; // as in a new process
    return requireCached<{ here: string; text: string }>(path, join(folder, 'kept/a.code'), require);
  };
  /** The compiled code, as it is kept after a while. */
  const kept = (folder: string) => {
    clock.tick(20_000);
    return readFileSync(join(folder, 'kept/a.code'));
  };

  it('loads as require does, keeps the compiled code, and loads anew what has changed or whose code is damaged', () => {
    const folder = folderWith({ 'a.cjs': codeOf('one') });
    const before = load(folder);
    assert.equal(require(join(folder, 'a.cjs')), before);
    assert.deepEqual([before.here, before.text], [folder, 'one']);
    const first = kept(folder);
    assert.deepEqual(load(folder), before);
    assert.deepEqual(clock.waits, [], 'it is compiled again');
    writeFileSync(join(folder, 'a.cjs'), codeOf('two'));
    assert.equal(load(folder).text, 'two');
    assert.notDeepEqual(kept(folder), first);
    writeFileSync(join(folder, 'kept/a.code'), first.fill(1, 100));
    assert.equal(load(folder).text, 'two');
  });
});
