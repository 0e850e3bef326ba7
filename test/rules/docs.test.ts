import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { pages, readManifest } from '../../scripts/readme.ts';
import { isTracked, read, tracked } from './sources.ts';

const PAGES = [...tracked('docs/*.md'), 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** Where a path in a page begins: at the project, in `test`, or in `src`. */
function rootOf(first: string): string | undefined {
  if (/^(src|test|scripts|docs)$/.test(first)) return '';
  if (/^(unit|wire|rules|host)$/.test(first)) return 'test/';
  return isTracked(`src/${first}`) ? 'src/' : undefined;
}

/** What pages name that is no file: methods of MCP and LSP, and what CONTRIBUTING.md adds. */
const NO_FILE = /^src\/server\/discover$|^src\/workspace\/symbol$|countLines/;

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
    const unlisted = tracked('docs/*.md').filter((path) => !list.includes(`](${path})`));
    assert.deepEqual(unlisted, []);
  });

  it('links lead to files and titles that exist', () => {
    for (const page of PAGES) {
      const links = [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)];
      const broken = links.filter(([, path, title]) => {
        const target = path ? posix.join(posix.dirname(page), path) : page;
        return !isTracked(target) || (title && !titlesOf(target).includes(title));
      });
      const wrong = broken.map(([link]) => link);
      assert.deepEqual(wrong, [], page);
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
      const wrong = unknown.map(([name]) => name);
      assert.deepEqual(wrong, [], page);
    }
  });

  it('the pages name files and scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const page of PAGES) {
      const text = read(page).replaceAll('`host` `', '`host/');
      const run = [...text.matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name ?? '');
      const wrong = run.filter((name) => name !== 'ci' && !(name in scripts));
      assert.deepEqual(wrong, [], page);
      const paths = [...text.matchAll(/`(\w+)(\/[\w./-]*)`/g)].flatMap(([, first = '', rest]) => {
        const root = rootOf(first);
        return root === undefined ? [] : [`${root}${first}${rest}`];
      });
      assert.deepEqual(
        paths.filter((path) => !isTracked(path) && !isTracked(`${path}.ts`) && !NO_FILE.test(path)),
        [],
        page,
      );
    }
  });

  it('CHANGELOG.md tells of what is not released yet', () =>
    assert.match(read('CHANGELOG.md'), /^## Unreleased$/m));
});
