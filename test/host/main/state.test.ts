/** What the editor tells of itself as resources: as a real VS Code has it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { GitApi } from '../../../src/services/git/gitApi.ts';
import { until } from '../agent.ts';
import { agentOfSuite, at, closeAll, folder, root } from '../inside.ts';

const state = (name: string): string => `editor-state:///${name}`;

function git(...args: string[]): void {
  const identity = [
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' });
}

describe("the editor's state as resources", () => {
  const agent = agentOfSuite(at('src'));
  let updated: string[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: each resource has another shape
  const read = async (name: string): Promise<any> => {
    const [content] = (await agent.client.readResource({ uri: state(name) })).contents;
    assert.ok(content && 'text' in content);
    return content.mimeType === 'application/json' ? JSON.parse(content.text) : content.text;
  };
  const subscribe = async (...names: string[]) => {
    for (const name of names) await agent.client.subscribeResource({ uri: state(name) });
    updated = [];
  };
  /** Until nothing more comes of what has happened, for half a second. */
  const calm = async () => {
    for (let count = -1; count !== updated.length; await delay(500)) count = updated.length;
  };
  const told = (name: string) =>
    until(`word of ${name}`, () => (updated.includes(state(name)) ? true : undefined));

  before(async () => {
    agent.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await closeAll();
  });

  after(closeAll);

  it('the active editor and its selection, as they change', async () => {
    await subscribe('active-editor', 'open-editors');
    const document = await vscode.workspace.openTextDocument(join(root, 'src/money.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await told('active-editor');
    await told('open-editors');
    assert.equal((await read('active-editor')).active.path, 'src/money.ts');
    const { groups } = await read('open-editors');
    assert.equal(groups[0].tabs[0].path, 'src/money.ts');
    await calm();
    updated = [];
    editor.selection = new vscode.Selection(0, 0, 0, 6);
    await told('active-editor');
    const { active } = await read('active-editor');
    assert.equal(active.selections[0].text, document.getText(editor.selection));
    assert.ok(!updated.includes(state('open-editors')), 'no tab has changed');
    await closeAll();
  });

  it('problems, of all files and of one, as they come and go', async () => {
    const document = await vscode.workspace.openTextDocument(join(root, 'src/invoice.ts'));
    await vscode.window.showTextDocument(document);
    const hasProblem = async () =>
      (await read('problems')).files.some(({ path }: { path: string }) => path === 'src/invoice.ts') ||
      undefined;
    await until('the problem', hasProblem);
    await subscribe('problems', 'problems/src/invoice.ts');
    const at = document.getText().indexOf('Money = 490');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(at), document.positionAt(at + 11)),
      'Money = money(490)',
    );
    await vscode.workspace.applyEdit(edit);
    await told('problems');
    await told('problems/src/invoice.ts');
    assert.deepEqual((await read('problems/src/invoice.ts')).files, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the problem', hasProblem);
    await closeAll();
  });

  it('problems that are there only while somebody asks for them, without a word', async () => {
    writeFileSync(join(root, 'broken.json'), '{ "a": 1,, }\n');
    await until(
      'the file',
      async () => (await agent.call('find_files', { query: 'broken.json' })) || undefined,
    );
    await calm();
    await subscribe('problems/broken.json');
    for (let count = 0; count < 2; count++) assert.equal((await read('problems/broken.json')).count, 1);
    const uri = vscode.Uri.file(join(root, 'broken.json'));
    await until("JSON's server", () => vscode.languages.getDiagnostics(uri).length === 0 || undefined);
    await calm();
    const wrong = updated.filter((uri) => uri.endsWith('broken.json'));
    assert.deepEqual(wrong, []);
    await agent.client.unsubscribeResource({ uri: state('problems/broken.json') });
    rmSync(join(root, 'broken.json'));
  });

  it('changes of a repository, and the diff of a file with what is not saved', async () => {
    git('init', '--initial-branch', 'trunk');
    git('add', 'src', 'README.md');
    git('commit', '--message', 'first');
    const api: GitApi & { openRepository(uri: vscode.Uri): Promise<unknown> } = await vscode.extensions
      .getExtension('vscode.git')
      ?.activate()
      .then((extension) => extension.getAPI(1));
    await subscribe('changes');
    assert.ok(folder);
    await api.openRepository(folder.uri);
    await until('the repository', () => (api.repositories.length > 0 ? true : undefined));
    await told('changes');
    writeFileSync(join(root, 'README.md'), '# Changed\n');
    const isListed = async () => {
      const [repository] = (await read('changes')).repositories;
      return repository.changes.find(({ path }: { path: string }) => path === 'README.md');
    };
    await vscode.commands.executeCommand('git.refresh');
    assert.equal((await until('the change', isListed)).status, 'modified');
    const [repository] = (await read('changes')).repositories;
    assert.equal(repository.branch, 'trunk');
    assert.ok(!JSON.stringify(repository).includes('.env'));
    const { resources } = await agent.client.listResources();
    assert.ok(resources.some(({ uri }) => uri === state('changes')));

    await subscribe('changes/README.md');
    const document = await vscode.workspace.openTextDocument(join(root, 'README.md'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), 'Not saved.\n');
    await vscode.workspace.applyEdit(edit);
    await told('changes/README.md');
    assert.match(await read('changes/README.md'), /^-# [\s\S]*^\+# Changed\n\+Not saved\.$/m);

    const money = await vscode.workspace.openTextDocument(join(root, 'src/money.ts'));
    const other = new vscode.WorkspaceEdit();
    other.insert(money.uri, new vscode.Position(9, 0), '/* Not saved. */ ');
    await vscode.workspace.applyEdit(other);
    const impact = await agent.call('get_change_impact');
    assert.match(impact, /^variable format \(src\/money\.ts:10\)\nCallers \(1\):\nsrc\/index\.ts\n6: /m);
    assert.match(
      impact,
      /^Changed outside of symbols \(what that broke: get_diagnostics {"path":"\."}\): .*README\.md/m,
    );
    for (const one of [money, document]) {
      await vscode.window.showTextDocument(one);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    git('checkout', '--', 'README.md');
    await vscode.commands.executeCommand('git.close', api.repositories[0]);
    rmSync(join(root, '.git'), { recursive: true, force: true });
    await closeAll();
  });

  it('a task, while it runs and once it has ended', async () => {
    await subscribe('tasks');
    const execution = new vscode.ProcessExecution(process.execPath, ['-e', 'process.exitCode = 3'], {
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.ok(folder);
    const task = new vscode.Task({ type: 'process' }, folder, 'say', 'host-test', execution);
    await vscode.tasks.executeTask(task);
    await told('tasks');
    const ended = await until('the end of the task', async () => {
      const [last] = (await read('tasks')).tasks;
      return last?.endedAt && last;
    });
    assert.partialDeepStrictEqual(ended, { name: 'say', source: 'host-test', folder: '.', exitCode: 3 });
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  it('a command in a terminal, and what it printed', async function () {
    if (process.platform === 'win32') this.skip(); // another shell
    await subscribe('terminals');
    const terminal = vscode.window.createTerminal({ name: 'state', cwd: root, shellPath: '/bin/bash' });
    terminal.show(true);
    const shell = await until('shell integration', () => terminal.shellIntegration);
    // VS Code may lose the output of a command that ends at once.
    shell.executeCommand('sleep 0.5; printf "%s\\n" one two; false');
    const ended = await until('the end of the command', async () => {
      const { terminals } = await read('terminals');
      const own = terminals.find(({ name }: { name: string }) => name === 'state');
      return own?.endedAt && own;
    });
    await told('terminals');
    assert.equal(ended.exitCode, 1);
    assert.match(ended.output, /^one\ntwo$/);
    assert.match(ended.command, /printf/);
    terminal.dispose();
  });
});
