import assert from 'node:assert/strict';
import { globMatchers } from '../../../src/util/glob.ts';
import { effort } from '../../effort.ts';

describe('util/glob', () => {
  it('fits as .gitignore does: names in any folder, folders with all that is in them', () => {
    const [name, folder, path] = globMatchers(['*.ts', 'out/', './src/*.js']);
    assert.deepEqual([name?.('a/b.ts'), name?.('b.js')], [true, false]);
    assert.deepEqual([folder?.('x/out/a'), folder?.('outer')], [true, false]);
    assert.deepEqual([path?.('src/a.js'), path?.('x/src/a.js')], [true, false]);
  });

  it('lets the braces of 100 globs stand for 1000 alternatives altogether, and takes one of each at least', async () => {
    const globs = Array.from({ length: 100 }, (_, index) => `${'{a,b}'.repeat(150)}${index}`);
    let matchers: ReturnType<typeof globMatchers> = [];
    const cost = await effort(() => {
      matchers = globMatchers(globs);
      for (let file = 0; file < 1000; file++) for (const matches of matchers) matches(`src/file-${file}.ts`);
    });
    assert.ok(cost < 2000, `${cost} ms`); // where each has 1000, it is 10 s
    assert.ok(matchers.every((matches, index) => matches(`${'a'.repeat(150)}${index}`)));
    const few = globMatchers(Array.from({ length: 100 }, (_, index) => `${index}.{ts,tsx,js}`));
    assert.ok(few.every((matches, index) => matches(`src/${index}.js`)));
  });
});
