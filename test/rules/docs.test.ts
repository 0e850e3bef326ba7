import assert from 'node:assert/strict';
import { readManifest, withTables } from '../../scripts/readme.ts';
import { read, tracked } from './sources.ts';

describe('rules: documents', () => {
  it('README.md has the tables that npm run readme writes', () =>
    assert.equal(read('README.md'), withTables(read('README.md'), readManifest())));

  it('README.md names files and scripts that there are', () => {
    const readme = read('README.md');
    const { scripts } = JSON.parse(read('package.json'));
    const run = [...readme.matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name ?? '');
    assert.deepEqual(
      run.filter((name) => name !== 'ci' && !(name in scripts)),
      [],
    );
    const paths = [...readme.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]*)`/g)].map(
      ([, path]) => path ?? '',
    );
    assert.deepEqual(
      paths.filter((path) => tracked(path).length === 0),
      [],
    );
  });

  it('CHANGELOG.md tells of what is not released yet', () =>
    assert.match(read('CHANGELOG.md'), /^## Unreleased$/m));
});
