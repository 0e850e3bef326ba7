/** The person's side: the extension driven from the command palette, with an agent beside it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { connectAgent, nextWindow, noWindowRecord, until, windowRecord } from '../agent.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { type Host, startHost } from '../headless/host.ts';
import { choose, notification, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';

const userDataDir = join(dirname(folder), 'browser-user');

/** Whether VS Code has written down an unsaved text that holds this one. */
function isKept(text: string): boolean {
  const directory = join(userDataDir, 'User/Backups');
  if (!existsSync(directory)) return false;
  return readdirSync(directory, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(text),
  );
}

/** Ends an extension host, if it has not ended. */
function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {}
}

describe('the command palette', () => {
  let host: Host;
  let page: Page;

  before(async () => {
    host = await startHost({
      target: folder,
      extensionDevelopmentPath: projectRoot,
      userDataDir,
      settings: {
        // As a devcontainer.json can write it.
        'workspaceMcp.approvals': { edit: 'allow', command: 'deny' },
        'workspaceMcp.access.deniedPaths': ['closed'],
        'files.autoSave': 'off', // in a browser it is on
      },
    });
    page = host.page;
    await windowRecord();
  });

  after(() => host.close());

  it('shows in the status bar that the server runs, and how many agents are there', async () => {
    assert.equal(await statusBarText(page, /^\s*MCP\s*$/), 'MCP');
    await using agent = await connectAgent(folder);
    assert.equal(await statusBarText(page, /MCP 1/), 'MCP 1');
    assert.equal(await agent.call('read_file', { path: 'src/answer.ts' }), 'export const answer = 42;\n');
    await screenshot(page, 'one-agent');
  });

  it('stops and starts the server', async () => {
    await using agent = await connectAgent(folder);
    const { id } = await windowRecord();
    await runCommand(page, 'Workspace MCP: Stop Server');
    await noWindowRecord();
    assert.match(
      await notification(page, /waiting/),
      /1 agent is waiting. It continues when you start the server again\./,
    );
    await assert.rejects(agent.call('get_workspace'), /user has stopped|No VS Code window/);
    await screenshot(page, 'stopped');
    await runCommand(page, 'Workspace MCP: Start Server');
    assert.equal((await windowRecord()).id, id);
    await agent.notified('notifications/tools/list_changed');
    assert.match(await agent.call('get_workspace'), /answer|src|workspace/);
  });

  it('restarts the server', async () => {
    const before = await windowRecord();
    await using agent = await connectAgent(folder);
    await statusBarText(page, /MCP 1/);
    await runCommand(page, 'Workspace MCP: Restart Server');
    await nextWindow(before);
    assert.match(await agent.call('get_workspace'), /src|workspace/, 'the agent goes on');
    await statusBarText(page, /MCP 1/);
  });

  it('copies the configuration of an agent', async () => {
    await runCommand(page, 'Workspace MCP: Copy Agent Configuration');
    const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
    await rows.filter({ hasText: 'claude mcp add' }).waitFor();
    await screenshot(page, 'copy-agent-configuration');
    await page.keyboard.press('Enter');
    assert.match(await notification(page, /Copied/), /Claude Code/);
  });

  it('lists what the settings answer in advance: those of the user, and not those of a remote machine', async () => {
    await runCommand(page, 'Workspace MCP: Manage Approvals');
    const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
    await rows.filter({ hasText: 'Nothing: agents always ask' }).waitFor();
    await page.keyboard.press('Escape');
    await runCommand(page, 'Preferences: Open User Settings (JSON)');
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('{ "workspaceMcp.approvals": { "run": "allow", "delete": "deny" } }');
    await runCommand(page, 'File: Save');
    await runCommand(page, 'Workspace MCP: Manage Approvals');
    await rows.filter({ hasText: 'Delete files' }).filter({ hasText: 'denied by your settings' }).waitFor();
    await screenshot(page, 'approvals-by-settings');
    assert.equal(await rows.filter({ hasText: 'Nothing: agents always ask' }).count(), 0);
    await choose(rows.filter({ hasText: 'allowed by your settings' }));
    await page.locator('.settings-editor').getByText('What agents may do without asking you').waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  it('shows a log that tells what happened, and nothing of what was read', async () => {
    await using agent = await connectAgent(folder);
    await agent.call('read_file', { path: 'src/answer.ts' });
    await runCommand(page, 'Workspace MCP: Show Log');
    const log = page.locator('.output-view .view-lines, .part.panel .view-lines').first();
    const text = await until('the log', async () => {
      const shown = ((await log.textContent()) ?? '').replaceAll('\u00a0', ' ');
      return shown.includes('connected: host-test') ? shown : undefined;
    });
    assert.doesNotMatch(text, /answer = 42/);
    await screenshot(page, 'log');
  });

  it('shows what the doctor finds, in an editor that nobody can change', async () => {
    const { id, token } = await windowRecord();
    await runCommand(page, 'Workspace MCP: Run Doctor');
    const lines = page.locator('.editor-instance .view-lines').filter({ hasText: 'This window' });
    const text = await until('the report', async () => {
      if ((await lines.count()) === 0) return undefined;
      const shown = ((await lines.first().textContent()) ?? '').replaceAll('\u00a0', ' ');
      return shown.includes('Versions') ? shown : undefined;
    });
    assert.match(text, new RegExp(`The server runs as window ${id}; connected agents: \\d`));
    assert.ok(!text.includes(token));
    assert.match(text, /Agents {2}[✔!✘] /);
    await page.locator('.tab').filter({ hasText: 'Workspace MCP Doctor.txt' }).waitFor();
    await screenshot(page, 'doctor');
    await runCommand(page, 'View: Close All Editors');
  });

  it('explains what agents may do with a file, and which rule says so', async () => {
    const widget = page.locator('.quick-input-widget:visible');
    const rows = widget.locator('.monaco-list-row');
    const explain = async (path: string) => {
      await runCommand(page, 'Workspace MCP: Explain Access to File');
      await widget.getByText('A path, absolute or in the workspace').waitFor();
      await widget.locator('input.input').fill(path);
      await page.keyboard.press('Enter');
      await widget.getByText('What agents may do with').waitFor();
    };
    await explain('.env');
    assert.equal(await rows.filter({ hasText: 'Always closed: Environment variables' }).count(), 3);
    await screenshot(page, 'explain-secret');
    await page.keyboard.press('Escape');
    await explain('src/answer.ts');
    await rows.filter({ hasText: 'Change text' }).filter({ hasText: 'You are asked.' }).waitFor();
    await screenshot(page, 'explain-open');
    assert.equal(await rows.locator('.codicon-pass:visible').count(), 3);
    await choose(rows.filter({ hasText: 'You are asked.' }));
    await page.locator('.settings-editor').getByText('What agents may do without asking you').waitFor();
    await runCommand(page, 'View: Close All Editors');
    await explain('closed/a.ts');
    const reason = rows.getByText('“closed” in deniedPaths (your settings)').filter({ visible: true });
    assert.equal(await reason.count(), 3);
    await screenshot(page, 'explain-denied');
    await page.keyboard.press('Escape');
  });

  it('keeps its id and its agents over a reload of the window, in the middle of their calls', async () => {
    const before = await windowRecord();
    await using first = await connectAgent(folder, { isPatient: true });
    const read = { path: 'src/answer.ts' };
    const answers: string[] = [];
    let isOver = false;
    const calling = (async () => {
      while (!isOver) answers.push(await first.call('read_file', read));
    })();
    await page.reload();
    const after = await nextWindow(before);
    assert.equal(after.id, before.id);
    const count = answers.length;
    const isBack = until('an answer of the reloaded window', () => answers.length > count + 1 || undefined);
    await Promise.race([isBack, calling]); // a call that fails tells why
    isOver = true;
    await calling;
    assert.deepEqual([...new Set(answers)], ['export const answer = 42;\n'], 'no call has failed');
    await using agent = await connectAgent(folder);
    assert.equal(await agent.call('read_file', { path: 'src/answer.ts' }), 'export const answer = 42;\n');
  });

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
    const chromium = await page.context().newCDPSession(page);
    const slowDown = (rate: number) => chromium.send('Emulation.setCPUThrottlingRate', { rate });
    for (let reload = 1; reload <= 2; reload++) {
      const before = readRecords(process.env.WORKSPACE_MCP_HOME ?? '');
      await page.reload({ waitUntil: 'commit' });
      // What VS Code says to it may be lost behind the large file on the same connection.
      for (const { pid } of before) endProcess(pid);
      await slowDown(5);
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
    }
    await runCommand(page, 'File: Revert File');
  });

  it('leaves nothing behind when its process is told to end', async () => {
    const { pid, token, socketPath } = await windowRecord();
    process.kill(pid, 'SIGTERM');
    const gone = async () => (existsSync(socketPath) ? undefined : true);
    await until('the end of the socket', gone);
    assert.ok(!readRecords(process.env.WORKSPACE_MCP_HOME ?? '').some((record) => record.token === token));
  });
});
