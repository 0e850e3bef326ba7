import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../../../src/workspace/files.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeDocument } from '../../../fakes/text.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { cleanUp, folderWith, listed, openWindow, write } from '../openWindow.ts';

/** The longest time before agents hear of a change, in milliseconds. */
const PAUSE = 2_000;

function listen(files: Files) {
  const heard = { lists: 0, contents: [] as string[] };
  const watching = [
    files.watchList(() => heard.lists++),
    files.watchContent(({ path }) => heard.contents.push(path.slice(path.lastIndexOf('/') + 1))),
  ];
  return { heard, dispose: () => watching.forEach((one) => void one.dispose()) };
}

describe('workspace/list/fileWatcher', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  function watched(options: FakeOptions) {
    const { fake, files, window } = openWindow(options);
    const { heard, dispose } = listen(files);
    /** How many lists agents have heard of, once the pause is over and what is then listed is known. */
    const listsHeard = async () => {
      await clock.pass(PAUSE);
      await window.listing.files();
      await clock.pass(0);
      return heard.lists;
    };
    return { fake, files, window, heard, dispose, listsHeard };
  }

  async function open(tree: Record<string, string> = { 'a.ts': '', '.gitignore': 'out\n' }) {
    const ws = folderWith(tree);
    const window = watched({ folders: [ws] });
    await window.files.list();
    const create = (path: string) => {
      write(join(ws, path));
      window.fake.person.createsFile(join(ws, path));
    };
    return { ...window, ws, create };
  }

  it('tells once of a burst of files that come and go', async () => {
    const { ws, fake, heard, create, listsHeard } = await open();
    for (let index = 0; index < 20; index++) create(`b${index}.ts`);
    rmSync(join(ws, 'a.ts'));
    fake.person.deletesFile(join(ws, 'a.ts'));
    assert.equal(await listsHeard(), 1);
    assert.equal(heard.contents.length, 21);
  });

  it('says nothing of the list where it is the same', async () => {
    const { fake, ws, create, listsHeard } = await open();
    create('out/built.js');
    create('.git/index.lock');
    create('gone-again.ts');
    rmSync(join(ws, 'gone-again.ts'));
    fake.person.changesFile(join(ws, 'a.ts'));
    assert.equal(await listsHeard(), 0);
  });

  it('compares lists a moment after a change, but no two within some seconds', async () => {
    const { create, heard, window } = await open();
    for (const [name, ms] of Object.entries({ 'b.ts': 300, 'c.ts': 2_000 })) {
      const before = heard.lists;
      create(name);
      await clock.pass(ms - 1);
      await window.listing.files();
      await clock.pass(0);
      assert.equal(heard.lists, before);
      await clock.pass(1);
      assert.equal(heard.lists, before + 1);
    }
  });

  it('makes no list, and tells nothing of it, before somebody has listed', async () => {
    const ws = folderWith({ 'a.ts': '' });
    const { fake, window, heard } = watched({ folders: [ws] });
    write(join(ws, 'b.ts'));
    fake.person.createsFile(join(ws, 'b.ts'));
    await clock.pass(PAUSE);
    assert.deepEqual([heard.lists, heard.contents, window.listing.isUsed], [0, ['b.ts'], false]);
    fake.person.sets('workspaceMcp.access.deniedPaths', ['nothing']);
    await clock.pass(PAUSE);
    assert.equal(heard.lists, 1, 'a rule may close what was read');
  });

  it('lists again what settings keep VS Code from watching, but not too often, unless it is saved', async () => {
    const { ws, fake, files, listsHeard } = await open();
    write(join(ws, 'b.ts'));
    await clock.pass(30_000);
    await files.list();
    assert.equal(await listsHeard(), 0, 'all is watched');
    fake.person.sets('files.watcherExclude', { '**/b.ts': true });
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts'], 'at once');
    assert.equal(await listsHeard(), 1, 'those who listed before are still told');
    write(join(ws, 'c.ts'));
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts']);
    assert.equal(await listsHeard(), 1);
    fake.person.saves(fake.person.loads(join(ws, 'c.ts')));
    assert.equal(await listsHeard(), 2);
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts', 'c.ts']);
  });

  it('tells once of a folder that fills while it is looked at', async () => {
    const { ws, fake, files, create, listsHeard } = await open();
    const fill = (from: number, to: number) => {
      for (let index = from; index < to; index++) write(join(ws, 'many', `${index}.ts`));
    };
    fill(0, 200);
    fake.person.createsFile(join(ws, 'many')); // all that VS Code has told, as yet
    assert.equal(await listsHeard(), 0);
    await files.list(); // an agent looks meanwhile
    fill(200, 400);
    assert.deepEqual([await listsHeard(), await listsHeard()], [0, 1]);
    assert.equal((await files.list()).count, 402);
    create('b.ts');
    assert.equal(await listsHeard(), 2);
  });

  it('tells of what came while the first list was made, and was passed by', async () => {
    const ws = folderWith({ 'a.ts': '', '.gitignore': '', 'sub/.gitignore': '' });
    const { fake, files, listsHeard } = watched({ folders: [ws], appRoot: '/no/ripgrep' });
    const [topIsRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fake.fileSystem.beforeReading = async (path) => {
      if (!path.includes('sub')) return;
      topIsRead.resolve();
      await mayGoOn.promise;
    };
    const asked = files.list();
    await topIsRead.promise;
    write(join(ws, 'b.ts'));
    fake.person.createsFile(join(ws, 'b.ts'));
    await clock.pass(PAUSE);
    mayGoOn.resolve();
    assert.equal((await asked).count, 3);
    assert.equal(await listsHeard(), 1);
    assert.equal((await files.list()).count, 4);
  });

  it('tells of what ignore files, settings and folders change', async () => {
    const { ws, fake, files, listsHeard } = await open();
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
      assert.equal(await listsHeard(), index + 1);
      await files.list();
    }
  });

  it('tells of what ignore files change in virtual folders, also where only the save is told', async () => {
    const path = folderWith({ 'a.ts': '', 'b.md': '', '.gitignore': 'out\n' });
    const { fake, files, listsHeard } = watched({ folders: [{ path, name: 'ws', scheme: 'virtual' }] });
    const uri = fake.api.Uri.file(join(path, '.gitignore')).with({ scheme: 'virtual' });
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.md']);
    write(join(path, '.gitignore'), '*.ts\n');
    fake.person.changesFile(uri);
    assert.equal(await listsHeard(), 1);
    assert.deepEqual(await listed(files), ['.gitignore', 'b.md']);
    write(join(path, '.gitignore'), '*.md\n');
    fake.person.saves(new FakeDocument(uri, '*.md\n'));
    assert.equal(await listsHeard(), 2);
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts']);
  });

  it('tells of unsaved text, and of nothing that is closed', async () => {
    const { ws, fake, heard } = await open({ 'a.ts': '', '.env': '' });
    fake.person.types(fake.person.loads(join(ws, 'a.ts')), 'x');
    fake.person.types(fake.person.loads(join(ws, '.env')), 'x');
    fake.person.changesFile(join(ws, '.git/config'));
    fake.person.changesFile('/elsewhere/b.ts');
    await clock.pass(PAUSE);
    assert.deepEqual(heard.contents, ['a.ts']);
  });

  it('leaves no listener behind, tells nothing more, and keeps no list that nobody watches', async () => {
    const { ws, fake, files, window, heard, dispose, create } = await open();
    create('b.ts');
    dispose();
    write(join(ws, 'c.ts'));
    await clock.pass(PAUSE);
    assert.deepEqual(heard, { lists: 0, contents: [] });
    listen(files).dispose();
    assert.deepEqual(await listed(files), ['.gitignore', 'a.ts', 'b.ts', 'c.ts']);
    window.dispose();
    assert.equal(fake.listeners, 0);
  });
});
