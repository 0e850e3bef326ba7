/** Edits at the moments at which something else writes to the same file, in a real VS Code. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { windowRecord } from '../agent.ts';
import { agentOfSuite, at, closeAll, disk, edit, saveNothingByItself, settingsUntil } from '../inside.ts';

const FILES = ['race.txt', 'typed.txt', 'latin.txt', 'hooks.txt', 'saved.txt', 'coded.txt'];

describe('an agent that edits while others write', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);

  before(() => set('workspaceMcp.approvals', { edit: 'allow' }));

  afterEach(closeAll);

  after(async () => {
    await saveNothingByItself();
    for (const name of FILES) rmSync(at(name), { force: true });
  });

  it('edits and reads what a shell has written a moment before', async () => {
    writeFileSync(at('race.txt'), '0\n');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at('race.txt')));
    let expected = '0\n';
    for (const [round, pause] of [0, 0, 50, 100, 200].entries()) {
      await delay(pause);
      appendFileSync(at('race.txt'), `line ${round}\n`);
      expected += `line ${round}\n`;
      assert.equal(await agent.call('read_file', { path: 'race.txt' }), expected);
      assert.match(await edit(agent, 'race.txt', `line ${round}`, `Line ${round}`), /, saved\./);
      expected = expected.replace('line', 'Line');
      assert.equal(disk('race.txt'), expected);
    }
  });

  it('comes through while the person types in the same file', async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
    writeFileSync(at('typed.txt'), `${lines}agent 0\n`);
    const document = await vscode.workspace.openTextDocument(at('typed.txt'));
    await vscode.window.showTextDocument(document);
    let isTyping = true;
    let typed = '';
    const typing = (async () => {
      while (isTyping) {
        const began = performance.now();
        await vscode.commands.executeCommand('type', { text: 'x' });
        typed += 'x';
        await delay(Math.max(60, 2 * (performance.now() - began))); // nobody types faster than they see it
      }
    })();
    try {
      for (let round = 0; round < 5; round++)
        assert.match(await edit(agent, 'typed.txt', `agent ${round}`, `agent ${round + 1}`), /not saved/);
    } finally {
      isTyping = false;
      await typing;
    }
    assert.equal(document.getText(), `${typed}${lines}agent 5\n`);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('damages no bytes that it does not touch', async () => {
    writeFileSync(at('latin.txt'), Buffer.from('caf\xe9\ntea\n', 'latin1'));
    await assert.rejects(edit(agent, 'latin.txt', 'tea', 'TEA'), /latin\.txt is not valid in the encoding/);
    assert.equal(readFileSync(at('latin.txt'), 'latin1'), 'caf\xe9\ntea\n');
    const document = await vscode.workspace.openTextDocument(at('latin.txt'), { encoding: 'windows1252' });
    await vscode.window.showTextDocument(document);
    assert.match(await edit(agent, 'latin.txt', 'tea', 'thé'), /, saved\./);
    assert.equal(readFileSync(at('latin.txt'), 'latin1'), 'caf\xe9\nth\xe9\n');
    const refused = edit(agent, 'latin.txt', 'thé', '茶');
    await assert.rejects(refused, /encoding \(windows1252\) cannot represent "茶"/);
  });

  /** By VS Code's name for it: a text of three lines, of which the second is ASCII. */
  const ENCODINGS: [encoding: string, bytes: Buffer][] = [
    ['utf16be', Buffer.from('\ufeffgr\u00fcn\nred\nend', 'utf16le').swap16()],
    ['shiftjis', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a, ...Buffer.from('red\nend')])],
    ['gb18030', Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a, ...Buffer.from('red\nend')])],
  ];
  it('changes no other byte of a file, whatever its encoding', async () => {
    for (const [encoding, bytes] of ENCODINGS) {
      await set('files.encoding', encoding);
      writeFileSync(at('coded.txt'), bytes);
      assert.match(await edit(agent, 'coded.txt', 'red', 'RED'), /, saved\./);
      const upper = (text: string) => text.replace('red', 'RED').replace('r\0e\0d', 'R\0E\0D');
      const expected = upper(bytes.toString('latin1')).replace('\0r\0e\0d', '\0R\0E\0D');
      assert.equal(readFileSync(at('coded.txt'), 'latin1'), expected, encoding);
      await closeAll();
      rmSync(at('coded.txt'));
    }
    await set('files.encoding', undefined);
  });

  it('hears what the settings of the person change on saving', async () => {
    await set('files.trimTrailingWhitespace', true);
    writeFileSync(at('hooks.txt'), 'a  \nb\n');
    assert.match(await edit(agent, 'hooks.txt', 'b', 'B'), /, saved\.\nOn save, .* changed more:\n/);
    assert.equal(disk('hooks.txt'), 'a\nB\n');
    await set('files.trimTrailingWhitespace', undefined);
  });

  it('edits while VS Code is saving the file by itself', async () => {
    await set('files.autoSaveDelay', 1); // before the extension has heard that its edit is there
    await set('files.autoSave', 'afterDelay');
    const isSlow = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(delay(1_000)));
    try {
      writeFileSync(at('saved.txt'), 'a\nb\n');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at('saved.txt')));
      assert.match(await edit(agent, 'saved.txt', 'b', 'B'), /, saved\./);
      assert.equal(disk('saved.txt'), 'a\nB\n');
    } finally {
      isSlow.dispose();
      await set('files.autoSave', 'off');
      await set('files.autoSaveDelay', undefined);
    }
  });

  it('cannot reach the secrets of the windows, whatever else is opened to it', async () => {
    const home = process.env.WORKSPACE_MCP_HOME ?? '';
    const { id } = await windowRecord();
    await set('workspaceMcp.access.allowedPaths', [home, join(home, '..')]);
    for (const path of [join(home, 'windows', `${id}.json`), join(home, 'shim.js')]) {
      await assert.rejects(agent.call('read_file', { path }), /closed to agents/);
      await assert.rejects(edit(agent, path, 'a', 'b'), /closed to agents/);
    }
    await assert.rejects(agent.call('list_directory', { path: join(home, 'windows') }), /closed to agents/);
    await set('workspaceMcp.access.allowedPaths', undefined);
  });
});
