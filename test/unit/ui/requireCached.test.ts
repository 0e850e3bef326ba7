import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readIfThere } from '../../../src/ipc/replaceFile.ts';
import { requireCached } from '../../../src/ui/requireCached.ts';
import { until } from '../../host/agent.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('ui/requireCached', () => {
  afterEach(cleanUp);

  const require = createRequire(import.meta.url);
  const load = (folder: string) => {
    const path = join(folder, 'a.cjs');
    delete require.cache[path]; // as in a new process
    return requireCached<{ sep: string; here: string; text: string }>(
      path,
      join(folder, 'kept/a.code'),
      require,
      0,
    );
  };
  const saved = (folder: string, unlike?: Buffer) =>
    until('the compiled code', () => {
      const code = readIfThere(join(folder, 'kept/a.code'));
      return code && unlike?.equals(code) ? undefined : code;
    });
  const codeOf = (text: string) =>
    `exports.sep = require('node:path').sep; exports.here = __dirname; exports.text = '${text}';`;

  it('loads as require does, and keeps the compiled code', async () => {
    const folder = folderWith({ 'a.cjs': codeOf('one') });
    const before = load(folder);
    assert.equal(require(join(folder, 'a.cjs')), before);
    assert.deepEqual([before.here, before.text], [folder, 'one']);
    await saved(folder);
    assert.deepEqual(load(folder), before);
  });

  it('loads a changed file of the same length anew, and one whose kept code is damaged', async () => {
    const folder = folderWith({ 'a.cjs': codeOf('one') });
    load(folder);
    const first = await saved(folder);
    writeFileSync(join(folder, 'a.cjs'), codeOf('two'));
    assert.equal(load(folder).text, 'two');
    await saved(folder, first);
    writeFileSync(join(folder, 'kept/a.code'), first.fill(1, 100));
    assert.equal(load(folder).text, 'two');
  });
});
