import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { pages, readManifest } from '../../scripts/readme.ts';
import { isTracked, read, tracked } from './sources.ts';

const PAGES = [...tracked('docs/*.md'), 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

const withoutCode = (text: string): string =>
  text.replace(/^ *(`{3,})[\s\S]*?^ *\1$/gm, '').replace(/`[^`\n]*`/g, '');

/** The titles of a page, as links name them (GitHub). */
const titlesOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('rules: documents', () => {
  it('the pages have the tables that npm run readme writes', () => {
    for (const [name, text] of pages(read, readManifest())) assert.equal(read(name), text, name);
  });

  it('every page is in the list of README.md', () => {
    const list = read('README.md').split('\n## Documentation\n')[1]?.split('\n## ')[0] ?? '';
    assert.deepEqual(
      tracked('docs/*.md').filter((path) => !list.includes(`](${path})`)),
      [],
    );
  });

  it('links lead to files and titles that exist', () => {
    for (const page of PAGES) {
      const links = [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)];
      const broken = links.filter(([, path, title]) => {
        const target = path ? posix.join(posix.dirname(page), path) : page;
        return !isTracked(target) || (title && !titlesOf(target).includes(title));
      });
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
        page,
      );
    }
  });

  it('settings and commands that the pages name exist', () => {
    const { configuration, commands } = readManifest().contributes;
    const ids = [...Object.keys(configuration.properties), ...commands.map(({ command }) => command)];
    const titles = commands.map(({ category, title }) => `${category}: ${title}`);
    for (const page of PAGES) {
      const text = read(page).replace(/\s+/g, ' ');
      const named = [...text.matchAll(/`(workspaceMcp\.\w[\w.]*\w)`|\*(Workspace MCP: [^*]+)\*/g)];
      const unknown = named.filter(([, id, title]) =>
        id ? !ids.some((one) => `${one}.`.startsWith(`${id}.`)) : !titles.includes(title ?? ''),
      );
      assert.deepEqual(
        unknown.map(([name]) => name),
        [],
        page,
      );
    }
  });

  it('the pages name files and scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const page of PAGES) {
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
        paths.filter((path) => !isTracked(path) && !path.includes('countLines')), // what CONTRIBUTING.md adds
        [],
        page,
      );
    }
  });

  it('CHANGELOG.md tells of what is not released yet', () =>
    assert.match(read('CHANGELOG.md'), /^## Unreleased$/m));
});
