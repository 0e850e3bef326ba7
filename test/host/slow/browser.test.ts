/** A machine that takes its time, and one that ends the extension host. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { connectAgent, nextWindow, until, windowRecord } from '../agent.ts';
import { folder, openWindow, page } from '../caseWindow.ts';
import { clickIntoText, isStored, openFile } from '../headless/editor.ts';
import { runCommand } from '../headless/palette.ts';
import { endProcess } from '../processes.ts';

const userDataDir = join(dirname(folder), 'browser-user');

/** Whether VS Code has written down an unsaved text that holds this one. */
function isKept(text: string): boolean {
  const directory = join(userDataDir, 'User/Backups');
  if (!existsSync(directory)) return false;
  return readdirSync(directory, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(text),
  );
}

describe('a slow machine', () => {
  openWindow({ userDataDir });

  it('after a reload tells nothing of a file before its unsaved text is restored, however slow that is', async () => {
    await using agent = await connectAgent(folder, { isPatient: true });
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'answer.ts');
    await clickIntoText(page.locator('.editor-group-container'));
    await page.keyboard.type('typed ');
    const read = () => agent.call('read_file', { path: 'src/answer.ts' });
    await until('the typed text', async () => (/typed/.test(await read()) ? true : undefined));
    writeFileSync(join(folder, 'src/large.txt'), 'a line of a large file\n'.repeat(200_000));
    await openFile(page, 'large.txt'); // behind another tab, which takes its time, it is restored last
    await page.locator('.tab.dirty').waitFor();
    await until('the copy that VS Code keeps of unsaved text', async () => isKept('typed ') || undefined);
    await isStored(page, 'large.txt');
    const chromium = await page.context().newCDPSession(page);
    const slowDown = (rate: number) => chromium.send('Emulation.setCPUThrottlingRate', { rate });
    const before = readRecords(process.env.WORKSPACE_MCP_HOME ?? '');
    await page.reload({ waitUntil: 'commit' });
    // What VS Code says to it may be lost behind the large file on the same connection.
    for (const { pid } of before) endProcess(pid);
    await page.locator('.monaco-workbench').waitFor();
    await slowDown(6); // from here on: the editors, and not VS Code itself
    await nextWindow(...before);
    const [text, hits, window] = await until('what is restored', async () => {
      const search = agent.call('search_text', { query: 'typed' });
      const answers = await Promise.all([read(), search, agent.call('get_workspace')]);
      // A machine that takes longer than agents are kept waiting.
      return answers.some((one) => one.includes('still restoring')) ? undefined : answers;
    });
    assert.match(text, /^\[Note: .*unsaved.*\]\n[\s\S]*typed/);
    assert.match(hits, /: typed/);
    assert.match(window, /^Unsaved: src\/answer\.ts$/m);
    await slowDown(1);
    await page.locator('.tab.dirty').waitFor();
    await runCommand(page, 'File: Revert File');
  });

  it('leaves nothing behind when its process is told to end, and told again while it does', async () => {
    const { pid, token, socketPath } = await windowRecord();
    for (const start = Date.now(); Date.now() - start < 50; ) endProcess(pid);
    const gone = async () => (existsSync(socketPath) ? undefined : true);
    await until('the end of the socket', gone);
    assert.ok(!readRecords(process.env.WORKSPACE_MCP_HOME ?? '').some((record) => record.token === token));
  });
});
