import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Files } from '../../../../src/workspace/files.ts';
import { FakeDocument } from '../../../fakes/text.ts';
import { cleanUp, folderWith, listed, openWindow, write } from '../openWindow.ts';

/** Longer than the quiet time before agents hear of a change, in milliseconds. */
const WHILE = 400;
const aWhile = () => new Promise((resolve) => setTimeout(resolve, WHILE));

/** The lists that agents heard of, when they have heard of so many and nothing more comes. */
async function listsHeard(heard: { lists: number }, expected: number): Promise<number> {
  for (let tries = 0; heard.lists < expected && tries < 20; tries++) await aWhile();
  await aWhile();
  return heard.lists;
}

function listen(files: Files) {
  const heard = { lists: 0, contents: [] as string[] };
  const watching = [
    files.watchList(() => heard.lists++),
    files.watchContent((uri) => heard.contents.push(uri.path.slice(uri.path.lastIndexOf('/') + 1))),
  ];
  return { heard, dispose: () => watching.forEach((one) => void one.dispose()) };
}

describe('workspace/list/fileWatcher', () => {
  afterEach(cleanUp);

  async function open(tree: Record<string, string> = { 'a.ts': '', '.gitignore': 'out\n' }) {
    const ws = folderWith(tree);
    const { fake, files, window } = openWindow({ folders: [ws] });
    const { heard, dispose } = listen(files);
    await files.list();
    const create = (path: string) => {
      write(join(ws, path));
      fake.person.createsFile(join(ws, path));
    };
    return { ws, fake, files, window, heard, dispose, create };
  }

  it('tells once of a burst of files that come and go', async () => {
    const { ws, fake, heard, create } = await open();
    for (let index = 0; index < 20; index++) create(`b${index}.ts`);
    rmSync(join(ws, 'a.ts'));
    fake.person.deletesFile(join(ws, 'a.ts'));
    assert.equal(await listsHeard(heard, 1), 1);
    assert.equal(heard.contents.length, 21);
  });

  it('says nothing of the list where it is the same', async () => {
    const { fake, ws, heard, create } = await open();
    create('out/built.js');
    create('.git/index.lock');
    create('gone-again.ts');
    rmSync(join(ws, 'gone-again.ts'));
    fake.person.changesFile(join(ws, 'a.ts'));
    await aWhile();
    assert.equal(heard.lists, 0);
  });

  it('lists a new file at once, and still tells those who listed before', async () => {
    const { files, heard, create } = await open();
    create('b.ts');
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts']);
    assert.equal(await listsHeard(heard, 1), 1);
  });

  it('makes no list, and tells nothing of it, before somebody has listed', async () => {
    const ws = folderWith({ 'a.ts': '' });
    const { fake, files, window } = openWindow({ folders: [ws] });
    const { heard } = listen(files);
    write(join(ws, 'b.ts'));
    fake.person.createsFile(join(ws, 'b.ts'));
    await aWhile();
    assert.deepEqual([heard.lists, heard.contents, window.listing.isUsed], [0, ['b.ts'], false]);
    fake.person.sets('workspaceMcp.access.deniedPaths', ['nothing']);
    assert.equal(await listsHeard(heard, 1), 1, 'a rule may close what was read');
  });

  it('tells of a file that was saved where VS Code watches nothing', async () => {
    const { ws, fake, heard, files } = await open();
    write(join(ws, 'b.ts'));
    fake.person.saves(fake.person.loads(join(ws, 'b.ts')));
    assert.equal(await listsHeard(heard, 1), 1);
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts']);
  });

  it('lists again what settings keep VS Code from watching, but not too often', async () => {
    const { ws, fake, heard, files } = await open();
    write(join(ws, 'b.ts'));
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 });
    try {
      await files.list();
      await aWhile();
      assert.equal(heard.lists, 0, 'all is watched');
      fake.person.sets('files.watcherExclude', { '**/b.ts': true });
      assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts']);
      assert.equal(await listsHeard(heard, 1), 1);
      write(join(ws, 'c.ts'));
      assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts']);
      await aWhile();
      assert.equal(heard.lists, 1);
    } finally {
      mock.timers.reset();
    }
  });

  it('tells once of a folder that fills while it is looked at', async () => {
    const { ws, fake, files, heard, create } = await open();
    const fill = (from: number, to: number) => {
      for (let index = from; index < to; index++) write(join(ws, 'many', `${index}.ts`));
    };
    fill(0, 300);
    fake.person.createsFile(join(ws, 'many')); // all that VS Code has told, as yet
    await aWhile();
    fill(300, 500);
    assert.equal(await listsHeard(heard, 1), 1);
    assert.equal((await files.list()).count, 502);
    create('b.ts');
    assert.equal(await listsHeard(heard, 2), 2);
  });

  it('tells of what came while the first list was made, and was passed by', async () => {
    const ws = folderWith({ 'a.ts': '', '.gitignore': '', 'sub/.gitignore': '' });
    const { fake, files } = openWindow({ folders: [ws], appRoot: '/no/ripgrep' });
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.fileSystem.beforeReading = (path) => (path.includes('sub') ? promise : Promise.resolve());
    const { heard } = listen(files);
    const asked = files.list();
    await aWhile(); // the top is read
    write(join(ws, 'b.ts'));
    fake.person.createsFile(join(ws, 'b.ts'));
    await aWhile();
    resolve();
    assert.equal((await asked).count, 3);
    assert.equal(await listsHeard(heard, 1), 1);
    assert.equal((await files.list()).count, 4);
  });

  it('tells of what ignore files, settings and folders change', async () => {
    const { ws, fake, files, heard } = await open();
    const changes = [
      () => {
        write(join(ws, '.gitignore'), '*.ts\n');
        fake.person.changesFile(join(ws, '.gitignore'));
      },
      () => fake.person.sets('files.exclude', { '.gitignore': true }),
      () => fake.person.sets('search.exclude', { '.gitignore': false }),
      () => fake.person.sets('workspaceMcp.access.deniedPaths', ['nothing']),
      () => fake.person.opensFolders([ws, folderWith()]),
    ];
    for (const [index, change] of changes.entries()) {
      change();
      assert.equal(await listsHeard(heard, index + 1), index + 1);
      await files.list();
    }
  });

  it('tells of what ignore files change in virtual folders, also where only the save is told', async () => {
    const path = folderWith({ 'a.ts': '', 'b.md': '', '.gitignore': 'out\n' });
    const { fake, files } = openWindow({ folders: [{ path, name: 'ws', scheme: 'virtual' }] });
    const { heard } = listen(files);
    const uri = fake.api.Uri.file(join(path, '.gitignore')).with({ scheme: 'virtual' });
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.md']);
    write(join(path, '.gitignore'), '*.ts\n');
    fake.person.changesFile(uri);
    assert.equal(await listsHeard(heard, 1), 1);
    assert.deepEqual(await listed(files), ['.gitignore', 'b.md']);
    write(join(path, '.gitignore'), '*.md\n');
    fake.person.saves(new FakeDocument(uri, '*.md\n'));
    assert.equal(await listsHeard(heard, 2), 2);
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts']);
  });

  it('tells of unsaved text, and of nothing that is closed', async () => {
    const { ws, fake, heard } = await open({ 'a.ts': '', '.env': '' });
    fake.person.types(fake.person.loads(join(ws, 'a.ts')), 'x');
    fake.person.types(fake.person.loads(join(ws, '.env')), 'x');
    fake.person.changesFile(join(ws, '.git/config'));
    fake.person.changesFile('/elsewhere/b.ts');
    await aWhile();
    assert.deepEqual(heard.contents, ['a.ts']);
  });

  it('leaves no listener behind, tells nothing more, and keeps no list that nobody watches', async () => {
    const { ws, fake, files, window, heard, dispose, create } = await open();
    create('b.ts');
    dispose();
    write(join(ws, 'c.ts'));
    await aWhile();
    assert.deepEqual(heard, { lists: 0, contents: [] });
    listen(files).dispose();
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts', 'c.ts']);
    window.dispose();
    assert.equal(fake.listeners, 0);
  });
});
