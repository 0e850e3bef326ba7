import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { pages, readManifest } from '../../scripts/readme.ts';
import { isTracked, read, tracked } from './sources.ts';

describe('rules: documents', () => {
  it('the pages have the tables that npm run readme writes', () => {
    for (const [name, text] of pages(read, readManifest())) assert.equal(read(name), text, name);
  });

  it('every page is reached from README.md in two clicks', () => {
    const linked = (page: string) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, path = '']) => posix.join(posix.dirname(page), path))
        .filter((path) => path.endsWith('.md'));
    const first = linked('README.md');
    const reached = new Set([...first, ...first.flatMap(linked)]);
    const there = tracked('docs').filter((path) => path.endsWith('.md'));
    assert.deepEqual(
      there.filter((path) => !reached.has(path)),
      [],
    );
    assert.deepEqual(
      [...reached].filter((path) => !isTracked(path)),
      [],
    );
  });

  it('the pages name files and scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const page of ['README.md', ...tracked('docs').filter((path) => path.endsWith('.md'))]) {
      const text = read(page);
      const run = [...text.matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name ?? '');
      assert.deepEqual(
        run.filter((name) => name !== 'ci' && !(name in scripts)),
        [],
        page,
      );
      const named = [
        ...text.matchAll(/`((?:src|test|scripts|docs|unit|wire|rules)\/[\w./-]*)`/g),
        ...text.replace(/`host` `/g, '`host/').matchAll(/`(host\/\w+)`/g),
      ];
      const paths = named.map(([, path = '']) => path.replace(/^(?=(?:unit|wire|rules|host)\/)/, 'test/'));
      assert.deepEqual(
        paths.filter((path) => !isTracked(path)),
        [],
        page,
      );
    }
  });

  it('CHANGELOG.md tells of what is not released yet', () =>
    assert.match(read('CHANGELOG.md'), /^## Unreleased$/m));
});
