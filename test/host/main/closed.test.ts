/** What a repository brings to get closed text out, in a real VS Code. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { agentOfSuite, closeAll, root, settingsUntil } from '../inside.ts';

const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const { Workspace } = vscode.ConfigurationTarget;
const SECRET = 'hunter2-s3cr3t';

describe('what is closed to agents', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(afterEach);

  before(async () => {
    mkdirSync(join(root, 'closed'));
  });

  afterEach(closeAll);

  after(async () => {
    for (const path of ['closed', 'password.txt']) rmSync(join(root, path), { recursive: true, force: true });
  });

  it('is not read in an encoding that a workspace names', async () => {
    for (const encoding of ['utf16le', 'hex', 'base64']) {
      write('password.txt', `free\npassword=${SECRET}\nend.\n`);
      await set('workspaceMcp.access.redact', ['(?<=password=)\\S+']);
      await set('files.encoding', encoding, Workspace);
      const said = await agent.call('read_file', { path: 'password.txt' }).catch(({ message }) => message);
      assert.match(said, /files\.encoding|password=\[redacted\]/);
      const document = await vscode.workspace.openTextDocument(join(root, 'password.txt'));
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, document.lineCount, 0);
      for (const text of [said, await agent.call('get_editor_state')])
        for (const form of [
          SECRET,
          ...(['utf16le', 'hex', 'base64'] as const).map((one) => Buffer.from(SECRET).toString(one)),
        ])
          assert.ok(!text.includes(form.slice(0, 6)), `${document.encoding}: ${text}`);
    }
  });

  it('is no constant in the problems of another file, which keep what can be read', async () => {
    write('closed/key.ts', "export const KEY = 'swordf1sh-77';\n");
    write('closed/uses.ts', "import { KEY } from './key';\nexport const mode: 'read' | 'write' = KEY;\n");
    await set('workspaceMcp.access.deniedPaths', ['**/key.ts']);
    const ask = () => agent.call('get_diagnostics', { path: 'closed/uses.ts' });
    // TypeScript may only be starting.
    const said = await until('the problem', async () =>
      [await ask()].find((text) => /uses\.ts\n/.test(text)),
    );
    assert.match(said, /Type '"\[redacted\]"' is not assignable to type '"read" \| "write"'/);
    assert.doesNotMatch(said, /swordf1sh/);
  });
});
