/** The list of files in a window whose files come and go, by the real watcher. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';
import { checkOut, importBranch } from './gitBranch.ts';
import { MemoryFiles } from './memoryFiles.ts';

const base = join(vscode.workspace.workspaceFile?.fsPath ?? '', '..');
const app = join(base, 'app');
const LIST_CHANGED = 'notifications/resources/list_changed';
/** Longer than agents wait for the end of a storm, in milliseconds. */
const LATE = 4_000;

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
    await delay(LATE);
    told = 0;
    await checkOut(app, 'many');
    await until(
      'the files',
      async () =>
        /^\[Note: 50000 files match/m.test(await agent.call('find_files', { query: 'many/', limit: 1 })) ||
        undefined,
    );
    await until('word of them', () => told > 0 || undefined);
    await delay(LATE);
    assert.equal(told, 1);
    await checkOut(app, 'none');
    await until('word that they have gone', () => told > 1 || undefined);
    await delay(LATE);
    assert.equal(told, 2);
    assert.deepEqual(await names(), ['.gitignore', 'src/index.ts']);
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
});
