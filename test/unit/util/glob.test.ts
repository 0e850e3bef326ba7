import assert from 'node:assert/strict';
import { globMatchers, literalGlob } from '../../../src/util/glob.ts';

describe('util/glob', () => {
  it('fits as .gitignore does: names in any folder, folders with all that is in them', () => {
    const [name, folder, path] = globMatchers(['*.ts', 'out/', './src/*.js']);
    assert.deepEqual([name?.('a/b.ts'), name?.('b.js')], [true, false]);
    assert.deepEqual([folder?.('x/out/a'), folder?.('outer')], [true, false]);
    assert.deepEqual([path?.('src/a.js'), path?.('x/src/a.js')], [true, false]);
  });

  it('lets the braces of 100 globs stand for 1000 alternatives altogether, and takes one of each at least', () => {
    const globs = Array.from({ length: 100 }, (_, index) => `${'{a,b}'.repeat(150)}${index}`);
    const matchers = globMatchers(globs);
    const fits = (end: string) =>
      matchers.filter((matches, index) => matches(`${'a'.repeat(149)}${end}${index}`)).length;
    assert.deepEqual([fits('a'), fits('b')], [100, 1]);
    const few = globMatchers(Array.from({ length: 100 }, (_, index) => `${index}.{ts,tsx,js}`));
    assert.ok(few.every((matches, index) => matches(`src/${index}.js`)));
  });

  it('writes a path as a glob by what escapes on the system: on Windows a backslash parts names', () => {
    assert.equal(literalGlob('app/[id]/a.ts', 'linux'), 'app/\\[id\\]/a.ts');
    assert.equal(literalGlob('app/[id]/a.ts', 'win32'), 'app/[[]id[]]/a.ts');
    const [matches] = globMatchers([literalGlob('app/[id]/{x}/a.ts')]);
    assert.deepEqual([matches?.('app/[id]/{x}/a.ts'), matches?.('app/i/x/a.ts')], [true, false]);
  });
});
