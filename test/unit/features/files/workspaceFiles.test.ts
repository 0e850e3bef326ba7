import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NotFoundError, UserError } from '../../../../src/core/errors.ts';
import { searchText } from '../../../../src/features/files/searchText.ts';
import { workspaceFiles } from '../../../../src/features/files/workspaceFiles.ts';
import type { Listed } from '../../../../src/features/resource.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { ipynb, opensNotebook } from '../notebooks.ts';
import { listed } from '../resources.ts';
import { CALL, cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const TREE = {
  '.gitignore': 'out/\n',
  '.env': 'SECRET=1',
  LICENSE: 'MIT',
  'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
  data: Buffer.from([0, 1, 2]),
  'out/built.js': '',
  'src/a.ts': 'const a = 1;',
  'src/deep/b.ts': '',
};

/** In the order of their URIs, from one on. */
async function listAll({ ctx }: Window, start = ''): Promise<readonly Listed[]> {
  const list = await workspaceFiles.list(ctx, CALL);
  return 'after' in list ? [...list.after(start)] : list;
}

const unsaved = (window: Window) => listAll(window, 'untitled:');

/** The first folder as the template of a URI has it. */
const pathInUri = ({ fake, path }: Window): string => fake.api.Uri.file(path('')).path;

const read = async (window: Window, uri: string) => {
  const result = await workspaceFiles.read(uri, window.ctx, CALL);
  assert.equal(result?.contents.length ?? 1, 1, 'never empty');
  return result?.contents[0];
};

describe('features/files/workspaceFiles', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('lists the folder and its files, sorted, with what a client wants to know before it reads', async () => {
    const window = openWindow(TREE);
    const all = await listed(workspaceFiles, window);
    assert.deepEqual(
      all.map(({ name, mimeType, size }) => [name, mimeType, size]),
      [
        [basename(window.path('')), 'inode/directory', undefined],
        ['.gitignore', 'text/plain', 5],
        ['LICENSE', 'text/plain', 3],
        ['data', 'application/octet-stream', 3],
        ['logo.png', 'image/png', 5],
        ['src/a.ts', 'text/typescript', 12],
        ['src/deep/b.ts', 'text/typescript', 0],
      ],
    );
    const [folder, file] = all;
    assert.deepEqual(folder?.annotations, { audience: ['assistant', 'user'], priority: 1 });
    assert.ok(!Number.isNaN(Date.parse(file?.annotations?.lastModified ?? '')));
    const list = await listAll(window);
    rmSync(window.path('LICENSE'));
    const names = (await Promise.all(list.map((item) => item.describe()))).map((item) => item?.name);
    assert.deepEqual(names.slice(1, 4), ['.gitignore', undefined, 'data'], 'one has gone since');
  });

  it('reads text, data, folders, and names each by the URI it was asked for', async () => {
    const window = openWindow(TREE);
    const folder = { mimeType: 'inode/directory', text: 'a.ts\ndeep/\n' };
    for (const [path, expected] of [
      ['src/a.ts', { mimeType: 'text/typescript', text: 'const a = 1;' }],
      ['logo.png', { mimeType: 'image/png', blob: 'iVBORwA=' }],
      ['data', { mimeType: 'application/octet-stream', blob: 'AAEC' }],
      ['src', folder],
      ['src/', folder],
      ['', { ...folder, text: '.gitignore\nLICENSE\ndata\nlogo.png\nsrc/\n' }],
    ] as const) {
      const uri = window.uri(path);
      assert.deepEqual(await read(window, uri), { uri, ...expected });
    }
  });

  it('reads the lines that a fragment names, and says what does', async () => {
    const window = openWindow({ 'a.txt': 'one\r\ntwo\nthree\n', 'b#.txt': 'x', 'sub/x': '' });
    const uri = window.uri('a.txt');
    const LINES = { '#L2': 'two\n', '#L1-L2': 'one\r\ntwo\n', '#L3-9': 'three\n', '#L4': '' };
    for (const [fragment, text] of Object.entries(LINES))
      assert.partialDeepStrictEqual(await read(window, uri + fragment), { uri: uri + fragment, text });
    assert.equal(await workspaceFiles.canonical(`${uri}#L2`, window.ctx), uri);
    assert.partialDeepStrictEqual(await read(window, `${window.uri('b#.txt')}#L1`), { text: 'x' });
    for (const [fragment, problem] of [
      ['#x', /"#x" is not a line range\. Write #L10 or #L10-L20/],
      ['#L0', /is not a line range/],
      ['#', /is not a line range/],
      ['#L3-L2', /ends before it starts/],
      ['#L5', /a\.txt has 4 lines; line 5 is past its end/],
    ] as const)
      await assert.rejects(read(window, uri + fragment), problem);
    await assert.rejects(read(window, `${window.uri('sub')}#L1`), /sub is not text and has no lines/);
  });

  it('reads notebooks as their cells, also as they are in the editor', async () => {
    const json = ipynb('print(1)').replace('"outputs', '"execution_count":1,"outputs');
    const window = openWindow({ 'a.ipynb': json, 'broken.ipynb': '{' });
    const uri = window.uri('a.ipynb');
    const text = '--- cell 1 (code, run 1)\nprint(1)\n';
    assert.deepEqual(await read(window, uri), { uri, mimeType: 'text/plain', text });
    assert.partialDeepStrictEqual(await read(window, `${uri}#L2`), { text: 'print(1)\n' });
    assert.partialDeepStrictEqual(await read(window, window.uri('broken.ipynb')), { text: '{' });
    const item = (mime: string, text: string) => ({ mime, data: new TextEncoder().encode(text) });
    const stack = JSON.stringify({ name: 'E', message: 'v', stack: '\u001b[31mE\u001b[0m: v' });
    const stream = item('application/vnd.code.notebook.stdout', '\u001b[1m2\u001b[0m\n');
    const error = item('application/vnd.code.notebook.error', stack);
    opensNotebook(window, 'a.ipynb', 'print(2)');
    const [cell] = window.fake.notebooks[0]?.getCells?.() ?? [];
    const outputs = [[stream, stream], [error], [item('image/png', '')]].map((items) => ({ items }));
    Object.assign(cell ?? {}, { executionSummary: { executionOrder: 4 }, outputs });
    assert.deepEqual(await read(window, uri), {
      uri,
      mimeType: 'text/plain',
      text: `--- cell 1 (code, python, run 4)
print(2)
--- output of cell 1
2
2
--- output of cell 1: error
E: v
--- output of cell 1: image/png
`,
    });
  });

  it('reads what the agent may, and tells a missing file from a closed one', async () => {
    const window = openWindow(TREE);
    await assert.rejects(read(window, window.uri('none')), NotFoundError);
    for (const uri of [window.uri('.env'), 'file:///etc/passwd', window.uri('../x')])
      await assert.rejects(read(window, uri), /closed to agents|outside the workspace/);
    assert.equal(await read(window, 'https://example.com/a'), undefined, "somebody else's");
  });

  it('has texts that have no file yet, unless the roots of the client leave them out', async () => {
    const window = openWindow({ 'a.txt': '' });
    const lists: string[] = [];
    const watching = workspaceFiles.watch(window.ctx, () => lists.push('told'));
    const { uri } = window.fake.person.opensUntitled('Untitled-1', 'typed');
    window.fake.person.opensUntitled('Untitled-2');
    await clock.pass(200);
    assert.deepEqual(lists, ['told'], 'once');
    const texts = await unsaved(window);
    assert.equal(texts.length, 2);
    assert.partialDeepStrictEqual(await texts[0]?.describe(), {
      uri: 'untitled:Untitled-1',
      name: 'Untitled-1',
      mimeType: 'text/plain',
      annotations: { priority: 0.9 },
    });
    assert.deepEqual(await read(window, `${uri}`), { uri: `${uri}`, mimeType: 'text/plain', text: 'typed' });
    assert.equal(await workspaceFiles.canonical(`${uri}`, window.ctx), `${uri}`);
    await assert.rejects(read(window, 'untitled:none'), NotFoundError);
    watching.dispose();
    const narrow = openWindow({ 'a.txt': '' }, { roots: ['/elsewhere'] });
    narrow.fake.person.opensUntitled('Untitled-1');
    assert.deepEqual(await unsaved(narrow), []);
  });

  it('is watched alone where it lies outside of the workspace', () => {
    const window = openWindow({ 'a.txt': '' }, { user: { 'workspaceMcp.access.allowedPaths': ['/open'] } });
    const told: string[] = [];
    const { Uri } = window.fake.api;
    const tell = (key: string) => told.push(Uri.parse(key).path);
    const follow = (path: string) => workspaceFiles.followOne?.([`${Uri.file(path)}`], window.ctx, tell);
    assert.equal(follow(window.path('a.txt')), undefined, 'the workspace is watched as a whole');
    const [file, folder] = [follow('/open/a.txt'), follow('/open/sub')];
    const { person } = window.fake;
    for (const path of ['/open/a.txt', '/open/b.txt', '/open/sub/c.txt', '/open/.env'])
      person.changesFile(path);
    person.deletesFile('/open/sub');
    assert.deepEqual(told.splice(0), ['/open/a.txt', '/open/sub/c.txt', '/open/sub']);
    for (const one of [file, folder]) one?.dispose();
    person.changesFile('/open/a.txt');
    assert.deepEqual(told, []);
  });

  it('judges a text that is to become a file as that file', async () => {
    const window = openWindow({}, { user: { 'workspaceMcp.access.deniedPaths': ['private/**'] } });
    const { person } = window.fake;
    const closed = ['.env.local', 'private/new.ts'].map((path) => window.path(path));
    for (const path of [...closed, '/elsewhere/new.ts', window.path('new.ts')])
      person.opensUntitled(path, 'secret');
    const open = `${window.fake.api.Uri.parse(`untitled:${window.path('new.ts')}`)}`;
    const texts = await unsaved(window);
    assert.deepEqual([texts.length, texts[0]?.uri], [1, open]);
    assert.partialDeepStrictEqual(await read(window, open), { text: 'secret' });
    for (const path of [...closed, '/elsewhere/new.ts'])
      await assert.rejects(read(window, `untitled:${path}`), UserError, path);
    const found = await window.run(searchText, { query: 'secret' });
    assert.match(textsOf(found).join('\n'), /^untitled:.*new\.ts\n/);
    assert.doesNotMatch(textsOf(found).join('\n'), /env|private|elsewhere/);
  });

  itWithLinks('names a resource by the URI that is told, and what it links to', async () => {
    const window = openWindow({ 'src/a b.txt': '' });
    const folder = pathToFileURL(window.path('src')).href;
    const uri = window.uri('src/a b.txt');
    for (const one of [uri, `${folder}/a b.txt`, `${folder}/x/../a b.txt`])
      assert.equal(await workspaceFiles.canonical(one, window.ctx), uri);
    symlinkSync('src', window.path('lib'));
    const link = window.uri('lib/a b.txt');
    assert.deepEqual(await workspaceFiles.canonical(link, window.ctx), [link, uri]);
  });

  it('completes by what is listed, as values that the template keeps as they are', async () => {
    const window = openWindow({ ...TREE, 'n/a%41.txt': 'its text', 'n/aA.txt': '', 'private/a.ts': '' });
    window.fake.person.sets('workspaceMcp.access.deniedPaths', ['private/**']);
    const folder = pathInUri(window);
    const complete = async (typed: string) => {
      const argument = { name: 'path', value: `${folder}/${typed}`, others: {} };
      const found = await workspaceFiles.complete('file:///{+path}', argument, window.ctx, CALL);
      return found?.values.map((value) => value.slice(folder.length)) ?? [];
    };
    assert.deepEqual(await complete(''), ['.gitignore', 'LICENSE', 'data', 'logo.png', 'n/', 'src/']);
    const [value = ''] = await complete('n/a%2');
    assert.partialDeepStrictEqual(await read(window, `file://${folder}/${value}`), { text: 'its text' });
    const other = (template: string) =>
      workspaceFiles.complete(template, { name: 'other', value: '', others: {} }, window.ctx, CALL);
    assert.deepEqual((await other('file:///{+path}'))?.values, []);
    assert.equal(await other('x:///{+path}'), undefined);
  });
});
