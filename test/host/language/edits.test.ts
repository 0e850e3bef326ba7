/** Edits that ask language servers: over many files, and with keepIf. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { revert } from '../inside.ts';
import { agentInShop, disk, openText, positionOf, type, uriOf } from './workspace.ts';

const TOTAL = 'shop/packages/core/src/total.ts';
const DIRTY = 'shop/packages/ui/src/label03.ts';
const isOpen = (path: string) =>
  vscode.workspace.textDocuments.some(({ uri, isClosed }) => !isClosed && `${uri}` === `${uriOf(path)}`);

describe('edits with language servers, over two folders', () => {
  const agent = agentInShop();
  const edit = (path: string, oldText: string, newText: string, keepIf?: string) =>
    agent.call('edit_file', { path, edits: [{ oldText, newText }], ...(keepIf && { keepIf }) });

  before(() => agent.call('get_diagnostics', { path: 'tools/src/report01.ts' }));

  it('rename_symbol changes what VS Code would, saves it, and keeps unsaved text unsaved', async () => {
    const dirty = await type(DIRTY, '// typed\n');
    const planned = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      uriOf(TOTAL),
      await positionOf(TOTAL, 'total'),
      'sumOf',
    );
    const expected = planned
      .entries()
      .map(([uri, edits]) => `${vscode.workspace.asRelativePath(uri)}: ${edits.length} `);
    assert.ok(
      expected.length >= 19 && expected.some((line) => line.startsWith('tools/')),
      expected.join('\n'),
    );
    const before = new Map(planned.entries().map(([uri]) => [vscode.workspace.asRelativePath(uri), '']));
    for (const path of before.keys()) before.set(path, disk(path));

    const text = await agent.call('rename_symbol', { symbol: 'total', newName: 'sumOf' });
    assert.deepEqual(changedIn(text).sort(), expected.sort());
    assert.match(
      text,
      /label03\.ts: 2 replacements, version \d+, not saved: the file has other unsaved changes/,
    );
    assert.match(text, /\nNo problems\.\nNot all files that use what changed were checked: .*$/); // of 19
    assert.match(dirty.getText(), /sumOf\(items\)[\s\S]*typed/);
    for (const [path, old] of before)
      assert.equal(disk(path), path === DIRTY ? old : old.replaceAll(/\btotal\b(?!')/g, 'sumOf'), path);

    for (const [path, typed] of [
      ['tools/src/report01.ts', ''],
      [DIRTY, '// typed\n'],
    ] as const) {
      const document = await openText(path);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), `${before.get(path)}${typed}`);
      await vscode.commands.executeCommand('redo');
      if (!typed) assert.ok(await document.save());
    }
    await agent.call('rename_symbol', { symbol: 'sumOf', newName: 'total' });
    for (const [path, old] of before) assert.equal(disk(path), old);
    await revert(dirty);
  });

  it('rename_symbol renames in CSS', async () => {
    const path = 'shop/packages/ui/style.css';
    const rename = { path, line: 2, column: 3, newName: '--main' };
    const told = await agent.call('rename_symbol', rename);
    assert.match(told, /style\.css: 3 replacements, version \d+, saved\./);
    assert.equal(disk(path).match(/--main/g)?.length, 3);
    await agent.call('rename_symbol', { ...rename, newName: '--accent' });
  });

  it('keepIf takes a breaking edit back, and nothing of it is on disk', async () => {
    const path = 'tools/src/report02.ts';
    const old = disk(path);
    const breaking = edit(path, 'return total(', 'return totl(', 'no_new_errors');
    await assert.rejects(
      breaking,
      /taken back[\s\S]*New problems:\ntools\/src\/report02\.ts\n {2}5:10 error Cannot find name 'totl'/,
    );
    assert.equal(disk(path), old);
    if (isOpen(path))
      assert.deepEqual([(await openText(path)).getText(), (await openText(path)).isDirty], [old, false]);
    const said = await edit(path, "add('a', 1)", "add('b', 1)", 'no_new_errors');
    assert.match(said, /saved\.\nNo problems\.(\nNot all files .*)?$/);
    assert.equal(disk(path), old.replace("'a'", "'b'"));
  });

  it('tells new and gone problems', async () => {
    const path = 'shop/packages/ui/src/legacy.js';
    const broken = await edit(path, 'toFixed', 'toFixd');
    assert.match(
      broken,
      /New problems:\nshop\/packages\/ui\/src\/legacy\.js\n {2}10:16 error Property 'toFixd'/,
    );
    const told = await edit(path, 'toFixd', 'toFixed', 'no_new_errors');
    assert.match(told, /No problems\.\n1 problem is gone\.(\nNot all files .*)?$/);
  });
});

/** Files with their numbers of replacements: of those in the same state only the paths follow. */
function changedIn(answer: string): string[] {
  let each = '';
  return answer.split('\n').flatMap((line) => {
    each = /^Each of these(: \d+ )replacement/.exec(line)?.[1] ?? each;
    const own = /^\S+: \d+ (?=replacement)/.exec(line)?.[0];
    return own ?? (each && /^\S+\/\S+$/.test(line) ? `${line}${each}` : []);
  });
}
