import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CancelledError } from '../../../../src/core/errors.ts';
import { MOST_HITS, type SearchQuery } from '../../../../src/workspace/search/ripgrepSearch.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, find, folderWith, openWindow, search } from '../openWindow.ts';

describe('workspace/search/searchText', () => {
  afterEach(cleanUp);

  const tree = {
    'a.ts': 'one\nneedle two\nthree\nfour\nNeedles\n',
    'b.md': 'x needle\r\n-needle-\r\n',
    'ignored/x.ts': 'needle',
    'noise.log': 'needle',
    'excluded/x.ts': 'needle',
    'node_modules/x.ts': 'needle',
    'c.js': 'needle',
    'c.ts': '',
    '.gitignore': 'ignored\n*.log\n',
    '.env': 'needle',
    '.git/config': 'needle',
    'private/x': 'needle',
  };
  const options = (ws: string) => ({
    folders: [ws],
    user: {
      'files.exclude': { '**/excluded': true, '**/*.js': { when: '$(basename).ts' } },
      'search.exclude': { '**/node_modules': true },
      'workspaceMcp.access.deniedPaths': ['private'],
    },
  });
  const hits = ['a.ts:2:needle two', 'a.ts:5:Needles', 'b.md:1:x needle', 'b.md:2:-needle-'];
  const cases: Record<string, [Partial<SearchQuery>, string[]]> = {
    'finds in what is listed, and nowhere else': [{}, hits],
    'minds case': [{ caseSensitive: true }, [0, 2, 3].map((at) => hits[at] as string)],
    'finds whole words': [{ wholeWord: true }, [0, 2, 3].map((at) => hits[at] as string)],
    'takes a text literally': [{ query: 'need.e' }, []],
    'takes a regular expression': [{ query: '^need.e', isRegex: true }, hits.slice(0, 2)],
    'takes a query that begins with a dash': [{ query: '-needle' }, hits.slice(3)],
    'includes by a glob': [{ include: ['*.md'] }, hits.slice(2)],
    'takes a glob that begins with a dash': [{ include: ['-x'] }, []],
    'excludes from what it includes': [{ include: ['*.ts', '*.md'], exclude: ['a.*'] }, hits.slice(2)],
    'includes nothing that is ignored': [
      { include: '** *.log ignored/** excluded/** *.js'.split(' ') },
      hits,
    ],
    'includes nothing that is closed': [{ include: ['.env', '.git/**', '**/.git', 'private/**'] }, []],
    'shows lines around': [
      { query: 'two', contextLines: 1 },
      ['a.ts:1-one', 'a.ts:2:needle two', 'a.ts:3-three'],
    ],
  };
  for (const [what, [query, expected]] of Object.entries(cases))
    it(what, async () =>
      assert.deepEqual(await find(openWindow(options(folderWith(tree))).files, query), expected),
    );

  itWithLinks('searches unsaved text instead of what is on the disk, but none that is closed', async () => {
    const outside = folderWith();
    const ws = folderWith({ 'a.ts': 'needle on the disk', 'b.ts': 'needle', '.env': 'x', gone: '' });
    symlinkSync(join(outside, 'gone.txt'), join(ws, 'link.txt'));
    const { fake, files } = openWindow({ folders: [ws] });
    for (const [path, text] of [
      ['a.ts', 'x\0y\nunsaved needle'],
      ['.env', 'needle'],
      ['gone', 'needle'],
      ['link.txt', 'needle from outside'],
    ] as const)
      fake.person.types(fake.person.loads(join(ws, path), ''), text);
    rmSync(join(ws, 'gone'));
    assert.deepEqual(await find(files), ['a.ts:2:unsaved needle', 'b.ts:1:needle', 'gone:1:needle']);
    assert.deepEqual(await find(files, { include: ['b.*'] }), ['b.ts:1:needle']);
    assert.deepEqual(await find(files, { exclude: ['b.*', 'gone'] }), ['a.ts:2:unsaved needle']);
  });

  it('finds a file of nested folders once', async () => {
    const outer = folderWith({ 'a.ts': 'needle', 'sub/b.ts': 'needle' });
    const { files } = openWindow({ folders: [outer, join(outer, 'sub')] });
    assert.deepEqual(await find(files), [`${basename(outer)}/a.ts:1:needle`, 'sub/b.ts:1:needle'].sort());
  });

  it('finds in files of hard names, in UTF-16 of either order, and in text that is not UTF-8', async () => {
    const name = process.platform === 'win32' ? 'a b;c.ts' : 'a\nb c.ts';
    const little = Buffer.from('\ufeffgr\u00fcne needle\r\n', 'utf16le');
    const texts = { 'l.txt': little, 'b.txt': Buffer.from(little).swap16() };
    const ws = folderWith({
      [name]: 'needle',
      ...texts,
      'latin.txt': Buffer.from('gr\xfcn needle\n', 'latin1'),
    });
    assert.deepEqual(
      await find(openWindow({ folders: [ws] }).files),
      [`${name}:1:needle`, 'b.txt:1:grüne needle', 'l.txt:1:grüne needle', 'latin.txt:1:grün needle'].sort(),
    );
  });

  it("refuses with ripgrep's words what is no regular expression and no glob, and all where there is no ripgrep", async () => {
    const { files } = openWindow({ folders: [folderWith({ a: '' })] });
    const expression = search(files, { query: '(unclosed', isRegex: true });
    await assert.rejects(expression, /^UserError: ripgrep failed:.*unclosed group/s);
    await assert.rejects(search(files, { include: ['[x'] }), /ripgrep failed:.*unclosed character class/s);
    await assert.rejects(search(openWindow({ folders: [], appRoot: '/nowhere' }).files, {}), /needs ripgrep/);
  });

  it('stops counting hits, not lines around them', async () => {
    const ws = folderWith({ 'a.txt': 'x\nneedle\n'.repeat(MOST_HITS + 10) });
    const lines = await search(openWindow({ folders: [ws] }).files, { contextLines: 1 });
    assert.equal(lines.filter(({ hit }) => hit).length, MOST_HITS);
  });

  it('tells of a hit in a line too long to be read, and goes on', async () => {
    const ws = folderWith({ 'bundle.js': `needle${'x'.repeat(6_000_000)}\nneedle\n` });
    assert.deepEqual(await find(openWindow({ folders: [ws] }).files), [
      'bundle.js:2:needle',
      'bundle.js:undefined:(a line too long to show)',
    ]);
  });

  it('shows a long line around its hit, and tells of one with more hits than a report can hold', async () => {
    const long = `${'ä='.repeat(5_000)}needle;${'z'.repeat(5_000)}`;
    const { files } = openWindow({ folders: [folderWith({ 'a.txt': `${long}\n${'b'.repeat(100_000)}\n` })] });
    const [hit] = await search(files, {});
    assert.match(hit?.text ?? '', /^….{100}needle;z+… \(column 10001 of 15007\)$/);
    const many = await search(files, { query: 'b' });
    const shown = many.map(({ path, line, hit }) => [path, line, hit]);
    assert.deepEqual(shown, [['a.txt', 2, true]]);
  });

  it('finds what stands on several lines', async () => {
    const { files } = openWindow({ folders: [folderWith({ 'a.txt': 'zero\none\ntwo\none\ntwo\n' })] });
    const next = ['a.txt:4:one', 'a.txt:5-two'];
    assert.deepEqual(await find(files, { query: 'one\ntwo' }), ['a.txt:2:one', 'a.txt:3-two', ...next]);
  });

  it('takes folders and every way to name a file as a glob', async () => {
    const ws = folderWith({ 'src/a.ts': 'needle', 'b.ts': 'needle' });
    const { files } = openWindow({ folders: [ws] });
    for (const glob of ['src', 'src/', './src/a.ts', `${basename(ws)}/src/**`, join(ws, 'src', '*.ts')])
      assert.deepEqual(await find(files, { include: [glob] }), ['src/a.ts:1:needle'], glob);
    assert.deepEqual(await find(files, { exclude: ['src/'] }), ['b.ts:1:needle']);
  });

  it('takes what is there for itself, whatever its name looks like', async () => {
    const route = 'app/[id]/page.ts';
    const signIn = 'app/[[...in]]/page.ts';
    const names = [route, signIn, 'app/i/page.ts', '!bang.ts', '#hash.ts', 'a{b,c}.ts', 'b.ts'];
    const ws = folderWith(Object.fromEntries(names.map((name) => [name, 'needle'])));
    const { files, fake } = openWindow({ folders: [ws] });
    const found = async (query: Partial<SearchQuery>) => (await search(files, query)).map(({ path }) => path);
    for (const place of ['app/[id]', `${ws}/app/[id]/`, route])
      assert.deepEqual(await found({ include: [place] }), [route]);
    for (const name of [signIn, '!bang.ts', '#hash.ts', 'a{b,c}.ts'])
      assert.deepEqual(await found({ include: [name] }), [name]);
    const others = names.filter((name) => name !== route).sort();
    assert.deepEqual(await found({ exclude: ['app/[id]'] }), others);
    assert.deepEqual(await found({ include: ['.'] }), [...names].sort());
    assert.deepEqual(await found({ include: ['!none'] }), []);
    fake.person.types(fake.person.loads(join(ws, route), ''), 'needle, unsaved');
    assert.deepEqual(await find(files, { include: ['app/[id]'] }), [`${route}:1:needle, unsaved`]);
    assert.deepEqual(await found({ exclude: ['app/[id]'] }), others);
  });

  it('says which files it has not searched behind a NUL: those with hits behind it, or all if something is redacted', async () => {
    const long = `needle0\n${'line\n'.repeat(20_000)}`;
    const files = { 'a.log': `${long}x\0y\nneedle1\n`, 'b.bin': 'a\0needle1', 'c.bin': 'a\0b' };
    const window = openWindow({ folders: [folderWith({ ...files, 'd.ts': 'needle2' })] });
    const found = async (query: string, include: string[] = []) => {
      const notes: string[] = [];
      const lines = await search(window.files, { query, include, onNote: (note) => notes.push(note) });
      return [lines.map(({ path }) => path).join(' '), ...notes];
    };
    const unsearched = (names: string) => `Not searched behind a NUL character: ${names}.`;
    assert.deepEqual(await found('needle0'), ['a.log', unsearched('a.log')]);
    assert.deepEqual(await found('needle1'), ['', unsearched('a.log, b.bin')]);
    assert.deepEqual(await found('needle1', ['a.log']), ['', unsearched('a.log')]);
    assert.deepEqual(await found('needle2'), ['d.ts']);
    assert.deepEqual(await found('none'), ['']);
    window.fake.person.sets('workspaceMcp.access.redact', ['none']);
    assert.deepEqual(await found('none'), ['', unsearched('a.log, b.bin, c.bin')]);
  });

  it('searches what is ignored, or a link, where include names it, and says so', async () => {
    const ws = folderWith({
      '.gitignore': 'dist/\n',
      'dist/a.js': 'needle',
      'dist/deep/b.js': 'needle',
      'dist/.env': 'needle',
      'shared/guide.md': 'needle',
      'src/a.ts': 'needle',
    });
    const outside = folderWith({ 'x.md': 'needle' });
    const { files, fake } = openWindow({ folders: [ws] });
    const notes: string[] = [];
    const found = async (...include: string[]) => {
      notes.splice(0);
      const lines = await search(files, { include, onNote: (note) => notes.push(note) });
      return [lines.map(({ path }) => path).join(' '), notes.join(' ')];
    };
    const named = (place: string) =>
      `${place} has no listed files (it is ignored, excluded or empty), but was searched because include names it.`;
    assert.deepEqual(await found('dist'), ['dist/a.js dist/deep/b.js', named('dist')]);
    assert.deepEqual(await found('dist/a.js', 'src'), ['dist/a.js src/a.ts', named('dist/a.js')]);
    assert.deepEqual(await found('dist/**'), [
      '',
      'dist has no listed files (it is ignored, excluded or empty): to search it, name it in include without a glob. No file matches include: dist/**.',
    ]);
    assert.deepEqual(await found('src', 'src/none'), ['src/a.ts', 'No file matches include: src/none.']);
    assert.deepEqual(await found('*.none'), ['', 'No file matches include: *.none.']);
    fake.person.types(fake.person.loads(join(ws, 'dist/a.js'), ''), 'unsaved needle');
    assert.deepEqual(await find(files, { include: ['dist/a.js'] }), ['dist/a.js:1:unsaved needle']);
    if (process.platform === 'win32') return;
    symlinkSync('shared', join(ws, 'docs'));
    symlinkSync(outside, join(ws, 'ext'));
    assert.deepEqual(await found('docs'), ['shared/guide.md', '']);
    assert.deepEqual(await found('ext'), ['', 'No file matches include: ext.']);
  });

  it('takes a line break in the query for that of the file', async () => {
    const ws = folderWith({ 'win.txt': 'alpha\r\nbeta (1)\r\n', 'nix.txt': 'alpha\nbeta (1)\n' });
    const { files } = openWindow({ folders: [ws] });
    const both = ['nix.txt:1:alpha', 'nix.txt:2-beta (1)', 'win.txt:1:alpha', 'win.txt:2-beta (1)'];
    for (const query of ['alpha\nbeta (1)', 'ALPHA\r\nbeta ('])
      assert.deepEqual(await find(files, { query }), both, JSON.stringify(query));
    for (const query of [
      'alpha\\nbeta',
      'alpha\\r?\\nbeta',
      'alpha[\\r\\n]+beta',
      'alpha\nbeta',
      'a[^\\n]*\\nbeta',
    ])
      assert.deepEqual(await find(files, { query, isRegex: true }), both, query);
    assert.deepEqual(await find(files, { query: 'a[^\\n]+b', isRegex: true }), []);
    assert.deepEqual(await find(files, { query: 'alpha\\nbeta' }), []);
  });

  it('ends ripgrep when it is cancelled', async () => {
    const { files } = openWindow({ folders: [folderWith({ 'a.txt': 'needle\n'.repeat(1000) })] });
    const cancelled = new AbortController();
    const searching = search(files, {}, cancelled.signal);
    cancelled.abort();
    await assert.rejects(searching, CancelledError);
  });
});
