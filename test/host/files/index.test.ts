/** The list of files in a window whose files come and go, by the real watcher. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';
import { checkOut, importBranch } from './gitBranch.ts';
import { MemoryFiles } from './memoryFiles.ts';

const base = join(vscode.workspace.workspaceFile?.fsPath ?? '', '..');
const app = join(base, 'app');
const LIST_CHANGED = 'notifications/resources/list_changed';

describe('the list of files', () => {
  let agent: HostAgent;
  let told = 0;
  const names = async () => (await agent.call('find_files', { query: '', limit: 5000 })).split('\n').sort();
  const toBe = (expected: string[]) =>
    until(`the files ${expected}`, async () => (`${await names()}` === `${expected}` ? true : undefined));
  const write = (path: string) => {
    mkdirSync(join(app, path, '..'), { recursive: true });
    writeFileSync(join(app, path), '');
  };

  before(async () => {
    await windowRecord();
    agent = await connectAgent(app);
    const { client } = agent;
    const remember = client.fallbackNotificationHandler;
    client.fallbackNotificationHandler = async (notification) => {
      if (notification.method === LIST_CHANGED) told++;
      await remember?.(notification);
    };
    await client.listResources();
  });

  after(() => agent[Symbol.asyncDispose]());

  it('follows what comes and goes: files, folders that are moved in, and other cases of a name', async () => {
    const original = ['.gitignore', 'src/index.ts'];
    assert.deepEqual(await names(), original);
    write('src/new.ts');
    write('out/built.js');
    await agent.notified(LIST_CHANGED);
    await toBe(['.gitignore', 'src/index.ts', 'src/new.ts']);
    renameSync(join(app, 'src/new.ts'), join(app, 'src/New.ts'));
    await toBe(['.gitignore', 'src/New.ts', 'src/index.ts']);
    mkdirSync(join(base, 'elsewhere/deep'), { recursive: true });
    writeFileSync(join(base, 'elsewhere/deep/a.ts'), '');
    renameSync(join(base, 'elsewhere'), join(app, 'moved'));
    await toBe(['.gitignore', 'moved/deep/a.ts', 'src/New.ts', 'src/index.ts']);
    renameSync(join(app, 'moved'), join(app, 'out/moved'));
    rmSync(join(app, 'src/New.ts'));
    await toBe(original);
    writeFileSync(join(app, '.gitignore'), 'src/\n');
    await toBe(['.gitignore', 'out/built.js', 'out/moved/deep/a.ts']);
    rmSync(join(app, 'out'), { recursive: true });
    writeFileSync(join(app, '.gitignore'), 'out/\n');
    await toBe(original);
  });

  it('hears of a checkout of 50,000 files once, and then has them all', async () => {
    await importBranch(app, 'many', 50_000);
    await until('the repository, which is told too', async () => {
      const { resources } = await agent.client.listResources();
      return resources.some(({ uri }) => uri === 'editor-state:///changes') || undefined;
    });
    const wordsOf = async (name: string) => {
      const before = told;
      write(name);
      await until(`word of ${name}`, () => told > before || undefined);
      return told - before;
    };
    await wordsOf('src/first.ts'); // or of what was before: all that comes in the pause after a word is told as one
    assert.equal(await wordsOf('src/second.ts'), 1);
    const before = told;
    await checkOut(app, 'many');
    const found = /^\[Note: 50000 files match/m;
    const find = () => agent.call('find_files', { query: 'many/', limit: 1 });
    await until('the files', async () => found.test(await find()) || undefined);
    await until('word of them', () => told > before || undefined);
    await wordsOf('src/third.ts'); // what is told late of the storm would be told before this
    assert.equal(told, before + 2);
    await checkOut(app, 'none');
    await until('word that they have gone', () => told > before + 2 || undefined);
    for (const name of ['src/first.ts', 'src/second.ts', 'src/third.ts']) rmSync(join(app, name));
    await toBe(['.gitignore', 'src/index.ts']);
  });

  it('leads with what the person has open', async () => {
    for (const name of ['.gitignore', 'src/index.ts'])
      await vscode.window.showTextDocument(vscode.Uri.file(join(app, name)), { preview: false });
    const { resources } = await agent.client.listResources();
    const files = resources.filter(({ uri }) => uri.startsWith('file:'));
    assert.deepEqual(resources.slice(0, 2), files.slice(0, 2), "before the editor's state");
    assert.deepEqual(
      files.map(({ name, annotations }) => [name, annotations?.priority]),
      [
        ['src/index.ts', 1],
        ['.gitignore', 0.9],
        ['app', 1],
      ],
    );
  });

  it('has the files of a virtual file system, by its own scheme, and follows them', async () => {
    const files = new MemoryFiles({
      'a.txt': 'a',
      'node_modules/b.js': 'b',
      'sub/c.txt': 'c',
      'ignoring/.gitignore': 'made/\n*.log\n.gitignore\n',
      'ignoring/d.log': 'd',
      'ignoring/made/deep/e.txt': 'e',
    });
    const provider = vscode.workspace.registerFileSystemProvider('memory', files);
    const uri = vscode.Uri.parse('memory:/project');
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri, name: 'memory' }));
    const virtual = async () =>
      (await agent.client.listResources()).resources
        .filter((resource) => resource.uri.startsWith('memory:'))
        .map((resource) => [resource.uri, resource.size]);
    const listed = (expected: unknown[]) =>
      until('the virtual files', async () =>
        JSON.stringify(await virtual()) === JSON.stringify(expected) ? true : undefined,
      );
    const folder = ['memory:/project', undefined];
    await listed([folder, ['memory:/project/a.txt', 1], ['memory:/project/sub/c.txt', 1]]);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(uri, 'sub/d.txt'), Buffer.from('dd'));
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, 'a.txt'));
    await listed([folder, ['memory:/project/sub/c.txt', 1], ['memory:/project/sub/d.txt', 2]]);
    const save = (path: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(uri, path), Buffer.from(text));
    for (const path of ['ignoring/f.log', 'ignoring/made/g', 'ignoring/h']) await save(path, '');
    await listed([
      folder,
      ['memory:/project/ignoring/h', 0],
      ['memory:/project/sub/c.txt', 1],
      ['memory:/project/sub/d.txt', 2],
    ]);
    assert.ok(!files.looked.has('/project/ignoring/made'), 'an ignored folder is not entered');
    await save('ignoring/.gitignore', '*\n!*.log\n');
    await listed([
      folder,
      ['memory:/project/ignoring/d.log', 1],
      ['memory:/project/ignoring/f.log', 0],
      ['memory:/project/sub/c.txt', 1],
      ['memory:/project/sub/d.txt', 2],
    ]);
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 1));
    await listed([]);
    provider.dispose();
  });

  it('follows the folders that the person adds, and takes away', async () => {
    const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string(), name: z.string() })) });
    const roots = async () => (await agent.client.request({ method: 'roots/list' }, rootsSchema)).roots;
    const [lib, file] = [join(base, 'lib'), join(base, 'lib/readme.md')];
    await assert.rejects(agent.call('read_file', { path: file }), /outside/);
    // Who has not asked is not told.
    await Promise.all([agent.client.listResources(), roots()]);
    agent.forgetNotifications();
    const uri = vscode.Uri.file(lib);
    // Not while another change is under way.
    const { updateWorkspaceFolders } = vscode.workspace;
    await until('room for a folder', () => updateWorkspaceFolders(1, 0, { uri }) || undefined);
    await agent.notified('notifications/roots/list_changed');
    await agent.notified(LIST_CHANGED);
    assert.deepEqual((await roots()).at(-1), { uri: uri.toString(), name: 'lib' });
    // What is told may be what the test before has changed.
    await until('its file', async () => {
      const { resources } = await agent.client.listResources();
      return resources.some(({ name }) => name === 'lib/readme.md') || undefined;
    });
    await agent.call('read_file', { path: 'lib/readme.md' });
    const folders = async () => (await windowRecord()).workspaceFolders;
    await until('the record', async () => (await folders()).length === 2 || undefined);
    await using another = await connectAgent(lib);
    assert.match(await another.call('get_workspace'), /lib/);
    agent.forgetNotifications(); // of the folders before: the test before has taken one away
    // An extension sees a folder gone before VS Code has agreed, and fires the event then.
    const confirmed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    await until('its end', () => updateWorkspaceFolders(1, 1) || undefined);
    await confirmed;
    await agent.notified('notifications/roots/list_changed');
    await assert.rejects(agent.call('read_file', { path: file }), /outside/);
  });
});
