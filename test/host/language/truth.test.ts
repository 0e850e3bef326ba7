/** What the tools tell of problems is what is there: after a change by a shell, and with nothing left behind for the person. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { agentInShop, openText, uriOf } from './workspace.ts';

const SRC = 'tools/src';
const write = (name: string, text: string) => writeFileSync(uriOf(`${SRC}/${name}`).fsPath, text);
const remove = (name: string) => rmSync(uriOf(`${SRC}/${name}`).fsPath, { force: true });

describe('problems', () => {
  const agent = agentInShop();
  const problemsOf = (name: string) => agent.call('get_diagnostics', { path: `${SRC}/${name}` });

  after(() => {
    for (const name of ['early.ts', 'later.ts', 'hidden.ts', 'lib.ts', 'use.ts']) remove(name);
  });

  it('of an import are known once a shell has made the file, and once it has removed it; or not told as known', async () => {
    write('early.ts', "import { later } from './later.js';\n\nexport const early: number = later;\n");
    await vscode.window.showTextDocument(await openText(`${SRC}/early.ts`));
    assert.match(await problemsOf('early.ts'), /Cannot find module '\.\/later\.js'/);
    for (const wait of [0, 500]) {
      write('later.ts', 'export const later = 1;\n');
      await delay(wait);
      assert.match(await problemsOf('early.ts'), /^No problems\.$|No report on the current text/);
      remove('later.ts');
      await delay(wait);
      assert.match(await problemsOf('early.ts'), /Cannot find module|No report on the current text/);
    }
    write('later.ts', 'export const later = 1;\n');
    await until('the text that VS Code loads', async () => /^No problems/.test(await problemsOf('later.ts')));
    remove('later.ts');
    await until('its end', async () => /Cannot find module/.test(await problemsOf('early.ts')));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of a file that no tab shows leave nothing in the list of the person', async () => {
    write('hidden.ts', 'export const hidden: number = wrong;\n');
    const path = `${SRC}/hidden.ts`;
    const listed = () => vscode.languages.getDiagnostics(uriOf(path)).map(({ message }) => message);
    await agent.call('apply_code_action', { path, line: 1, list: true });
    assert.deepEqual(listed(), []);
    const edit = { path, edits: [{ oldText: 'wrong', newText: '1' }] };
    assert.match(await agent.call('edit_file', edit), /No problems\.|1 problem is gone/);
    assert.deepEqual(listed(), []);
    assert.doesNotMatch(await agent.call('get_diagnostics'), /hidden\.ts/);
  });

  describe('of files that use what is edited', () => {
    const LIB = 'export class Wombat {\n  dig(depth: number) {\n    return depth;\n  }\n}\n';
    const USE = "import { Wombat } from './lib.js';\n\nexport const dug: number = new Wombat().dig(1);\n";
    const broken =
      /New problems in files that use it:\ntools\/src\/use\.ts\n {2}3:14 error Type 'string' is not assignable/;
    const path = `${SRC}/lib.ts`;
    const edit = { path, edits: [{ oldText: 'return depth', newText: 'return String(depth)' }] };

    /** What an edit tells once all that it had to know is known: on a busy machine that may take more than one. */
    const edited = (tool: string, args: Record<string, unknown>) =>
      until('a check of all files', async () => {
        const told = await agent.call(tool, args);
        if (/New problems in files/.test(told)) return told;
        if (!/Not all files|No report on|new or from before/.test(told)) return told;
        await agent.call('undo_edit');
        return undefined;
      });

    beforeEach(() => {
      write('lib.ts', LIB);
      write('use.ts', USE);
    });

    it('are told, whichever tool edits, and whether or not a tab shows them', async () => {
      assert.equal(await problemsOf('use.ts'), 'No problems.');
      assert.match(await edited('edit_file', edit), broken);
      assert.match(await agent.call('undo_edit'), /No problems\.(\nNot all files .*)?$/);
      const body = 'dig(depth: number) {\n  return String(depth);\n}';
      const said = await edited('edit_symbol', { action: 'replace', symbol: 'Wombat/dig', path, body });
      assert.match(said, broken);
      await agent.call('undo_edit');
      const refused = agent.call('edit_file', { ...edit, keepIf: 'no_new_errors' });
      await assert.rejects(refused, /taken back.*use\.ts/s);
    });

    it('are told of a file that is deleted', async () => {
      const patch = `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\n`;
      await vscode.workspace
        .getConfiguration('workspaceMcp')
        .update('approvals', { edit: 'allow', delete: 'allow' }, true);
      const answered = await edited('apply_patch', { patch });
      assert.match(answered, /use\.ts\n {2}1:24 error Cannot find module '\.\/lib\.js'/);
    });
  });
});
