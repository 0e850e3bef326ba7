import assert from 'node:assert/strict';
import { rebased, staysRight } from '../../../../src/services/language/configPaths.ts';

describe('services/language/configPaths', () => {
  /** The new texts of a configuration, by its old ones. */
  function changed(path: string, value: object, from: string, to: string): Record<string, string> {
    const text = `// why\n${JSON.stringify(value, null, 2)}\n`;
    const { changes } = rebased({ path, text }, { from, to });
    const lines = text.split('\n');
    for (const { line, character, length, text: old } of changes)
      assert.equal(lines[line]?.slice(character, character + length), old);
    return Object.fromEntries(changes.map(({ text: old, newText }) => [old, newText]));
  }

  it('a configuration that moves names the same files outside, and those that move with it as before', () => {
    const config = {
      extends: ['../../tsconfig.base.json', '@tsconfig/node20/tsconfig.json'],
      compilerOptions: {
        rootDir: 'src',
        outDir: '../../dist/a',
        types: ['node', './types'],
        target: 'es2022',
        paths: { '@b/*': ['../b/src/*'], '@/*': ['./src/*'] },
      },
      include: ['src', '../common/**/*.ts'],
      references: [{ path: '../b' }, { path: './tsconfig.test.json' }],
    };
    assert.deepEqual(changed('/w/packages/a/tsconfig.json', config, '/w/packages/a', '/w/libs/x/a'), {
      '../../tsconfig.base.json': '../../../tsconfig.base.json',
      '../../dist/a': '../../../dist/a',
      '../b/src/*': '../../../packages/b/src/*',
      '../common/**/*.ts': '../../../packages/common/**/*.ts',
      '../b': '../../../packages/b',
    });
    const alone = {
      extends: './tsconfig.json',
      compilerOptions: { rootDir: '.' },
      include: ['test', '*.ts'],
    };
    assert.deepEqual(
      changed('/w/a/tsconfig.test.json', alone, '/w/a/tsconfig.test.json', '/w/a/test/tsconfig.json'),
      { './tsconfig.json': '../tsconfig.json', '.': '..', test: '.', '*.ts': '../*.ts' },
    );
  });

  it('a configuration elsewhere names what moves where it goes, as short as before', () => {
    const config = {
      extends: './packages/base/tsconfig',
      compilerOptions: { paths: { '@a': ['./packages/a/src/index.ts'], '@a/*': ['./packages/a/src/*'] } },
      files: ['packages/ab.ts'],
      exclude: ['packages/a/dist/', `\${configDir}/packages/a`],
      references: [{ path: 'packages/a' }, { path: './packages/a/test' }],
    };
    assert.deepEqual(changed('/w/tsconfig.json', config, '/w/packages/a', '/w/a'), {
      './packages/a/src/index.ts': './a/src/index.ts',
      './packages/a/src/*': './a/src/*',
      'packages/a/dist/': 'a/dist/',
      'packages/a': 'a',
      './packages/a/test': './a/test',
    });
    const move = ['/w/packages/base/tsconfig.json', '/w/base.json'] as const;
    assert.deepEqual(changed('/w/tsconfig.json', config, ...move), { './packages/base/tsconfig': './base' });
    const index = ['/w/packages/a/tsconfig.json', '/w/packages/a/tsconfig.lib.json'] as const;
    assert.deepEqual(changed('/w/tsconfig.json', config, ...index), {
      'packages/a': 'packages/a/tsconfig.lib.json',
    });
  });

  it('paths begin at the baseUrl; without one of its own, a configuration has only those with dots', () => {
    const paths = { x: ['lib/*'] };
    const of = (baseUrl: object) => ({ compilerOptions: { ...baseUrl, paths } });
    assert.deepEqual(changed('/w/tsconfig.json', of({ baseUrl: './src' }), '/w/src/lib', '/w/src/new'), {
      'lib/*': 'new/*',
    });
    assert.deepEqual(changed('/w/tsconfig.json', of({ baseUrl: './src' }), '/w/src', '/w/source'), {
      './src': './source',
    });
    assert.deepEqual(changed('/w/tsconfig.json', of({}), '/w/lib', '/w/new'), {});
  });

  it('an import by an alias stays right if what its best pattern stands for moves as a whole', () => {
    const aliases = (from: string) => {
      const paths = { '@a': ['./a/index.ts'], '@a/*': ['./a/*'], '@a/x/*': ['./b/x/*'] };
      const text = JSON.stringify({ compilerOptions: { paths } });
      return rebased({ path: '/w/tsconfig.json', text }, { from, to: '/w/to' }).aliases;
    };
    const right = (from: string) =>
      ['@a', '@a/y', '@a/x/y', './a', 'b'].filter((one) => staysRight(one, aliases(from)));
    assert.deepEqual(right('/w/a'), ['@a', '@a/y']);
    assert.deepEqual(right('/w/a/index.ts'), ['@a']);
    assert.deepEqual(right('/w/b'), ['@a/x/y']);
    assert.deepEqual(right('/w/a/y.ts'), []);
  });
});
