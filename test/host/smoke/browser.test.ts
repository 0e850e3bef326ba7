/** The dozen that stands for all: an agent beside a person who uses the palette, with a real language server. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { connectAgent, nextWindow, noWindowRecord, until, windowRecord } from '../agent.ts';
import {
  agent,
  call,
  connect,
  dialog,
  EXAMPLE,
  entry,
  folder,
  onDisk,
  openWindow,
  page,
  row,
} from '../caseWindow.ts';
import { answer, noQuestion, question } from '../headless/consent.ts';
import { choose, notification, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { openView, rowAction } from '../headless/views.ts';
import { projectRoot } from '../paths.ts';

describe('an agent and a person', () => {
  openWindow({
    settings: {
      'workspaceMcp.approvals': { run: 'allow', delete: 'deny' },
      'workspaceMcp.access.deniedPaths': ['closed'],
    },
    // As a devcontainer.json can write it: it counts for nothing.
    machineSettings: { 'workspaceMcp.approvals': { edit: 'allow', command: 'deny' } },
  });

  it('shows in the status bar that the server runs, and how many agents are there', async () => {
    assert.equal(await statusBarText(page, /^\s*MCP\s*$/), 'MCP');
    await using agent = await connectAgent(folder);
    assert.equal(await statusBarText(page, /MCP 1/), 'MCP 1');
    assert.equal(await agent.call('read_file', { path: 'README.md' }), onDisk('README.md'));
    await screenshot(page, 'one-agent');
  });

  it('stops and starts the server', async () => {
    await using agent = await connectAgent(folder);
    const { id } = await windowRecord();
    await runCommand(page, 'Workspace MCP: Stop Server');
    await noWindowRecord();
    const told = await notification(page, /waiting/);
    assert.match(told, /1 agent is waiting. It continues when you start the server again\./);
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

  it('copies the configuration of an agent, with the shim at its stable place', async () => {
    await runCommand(page, 'Workspace MCP: Copy Agent Configuration');
    await entry('~/.codex/config.toml').waitFor();
    await screenshot(page, 'copy-agent-configuration');
    await choose(entry('~/.codex/config.toml'));
    assert.match(await notification(page, /Copied/), /Copied for Codex: add it to ~\/\.codex\/config\.toml/);
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^\[mcp_servers\.workspace-mcp\]\ncommand = "node"\n/);
    assert.ok(copied.includes(join(process.env.WORKSPACE_MCP_HOME ?? '', 'shim.js')), copied);
  });

  it('lists what the settings answer in advance: those of the user, and not those of a remote machine', async () => {
    await runCommand(page, 'Workspace MCP: Manage Approvals');
    await entry('Delete files').filter({ hasText: 'denied by your settings' }).waitFor();
    await screenshot(page, 'approvals-by-settings');
    assert.equal(await entry('Change text').count(), 0);
    await choose(entry('allowed by your settings'));
    await page.locator('.settings-editor').getByText('What agents may do without asking you').waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  it('shows a log that tells what happened, and nothing of what was read', async () => {
    await using agent = await connectAgent(folder);
    await agent.call('read_file', { path: 'README.md' });
    await runCommand(page, 'Workspace MCP: Show Log');
    const log = page.locator('.output-view .view-lines, .part.panel .view-lines').first();
    const text = await until('the log', async () => {
      const shown = ((await log.textContent()) ?? '').replaceAll('\u00a0', ' ');
      return shown.includes('connected: host-test') ? shown : undefined;
    });
    assert.doesNotMatch(text, /invoices/);
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
    assert.match(text, /Agents {2}[✔·!✘] /);
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
    const three = (found: Locator) =>
      until('three rows', async () => (await found.count()) === 3 || undefined);
    await explain('.env');
    await three(rows.filter({ hasText: 'Always closed: Environment variables' }));
    await screenshot(page, 'explain-secret');
    await page.keyboard.press('Escape');
    await explain('README.md');
    await rows.filter({ hasText: 'Change text' }).filter({ hasText: 'You are asked.' }).waitFor();
    await screenshot(page, 'explain-open');
    assert.equal(await rows.locator('.codicon-pass:visible').count(), 2);
    await choose(rows.filter({ hasText: 'You are asked.' }));
    await page.locator('.settings-editor').getByText('What agents may do without asking you').waitFor();
    await runCommand(page, 'View: Close All Editors');
    await explain('closed/a.ts');
    const reason = rows.getByText('“closed” in deniedPaths (your settings)').filter({ visible: true });
    await three(reason);
    await screenshot(page, 'explain-denied');
    await page.keyboard.press('Escape');
  });

  it('reads what TypeScript says of a file that no tab shows', async () => {
    await connect(EXAMPLE);
    const ask = () => call('get_diagnostics', { path: 'src/invoice.ts' });
    // TypeScript may only be starting.
    await until('the problem', async () => /23:14 error Type 'number'/.test(await ask()) || undefined);
  });

  it('has its edit made once the person has agreed, and hears which problems are gone', async () => {
    const edits = [{ oldText: 'Money = 490', newText: 'Money = money(490)' }];
    const result = call('edit_file', { path: 'src/invoice.ts', edits });
    assert.match(await question(page), /^Edit “src\/invoice\.ts”“Example Agent” asks/);
    assert.doesNotMatch(onDisk('src/invoice.ts'), /money\(490\)/);
    await answer(page, 'Allow for Session');
    assert.match(await result, /, saved\.\nNo problems\.\n1 problem is gone\.(\nNot all files .*)?$/);
    assert.match(onDisk('src/invoice.ts'), /money\(490\)/);
    await noQuestion(page);
  });

  it('renames a symbol in all files', async () => {
    const text = await call('rename_symbol', { symbol: 'Money', newName: 'Price' });
    assert.match(text, /^src\/money\.ts: \d+ replacements, .*saved/m);
    assert.match(text, /^src\/invoice\.ts: \d+ replacements, .*saved/m);
    assert.match(onDisk('src/invoice.ts'), /: Price = money\(490\)/);
  });

  it('calls a hosted server, which the person has looked at', async () => {
    const args = [join(projectRoot, 'test/unit/hosting/programs/sdkServer.ts')];
    const mcpServers = { planted: { command: process.execPath, args } };
    await openView(page, 'Workspace MCP');
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await row(/^planted, found in \.mcp\.json, not hosted/);
    await rowAction(page, /^planted/, 'Host', dialog().waitFor());
    await dialog().getByRole('button', { name: 'Start Server' }).click();
    await row(/^planted, running/);
    const tools = async () => (await agent.client.listTools()).tools.map(({ name }) => name);
    await until('its tool', async () => (await tools()).includes('planted__echo') || undefined);
    const result = call('planted__echo', { value: 'hello' });
    await answer(page, 'Allow Once');
    assert.equal(await result, 'hello');
  });
});
