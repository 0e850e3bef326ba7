/** Agents are connected as a user does it: the notification, the picker, the diff, the removal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../agent.ts';
import { entry, folder, list, openWindow, page } from '../caseWindow.ts';
import {
  choose,
  clickRow,
  notification,
  notifications,
  runCommand,
  screenshot,
  waitForRow,
} from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';
import { retry } from '../patience.ts';
import { makeScratch } from '../scratch.ts';

/** What users have, in two formats. */
const FILES = {
  'Claude Code': [
    '.claude.json',
    '{\n\t"numStartups": 7,\n\t"mcpServers": {"other": {"command": "x", "args": []}},\n\t"theme":"dark" }',
  ],
  Codex: ['.codex/config.toml', '# mine\nmodel = "o3"   # fast\n\n[mcp_servers.other]\ncommand = \'x\'\n'],
} as const;

const SKILLS = ['.claude/skills', '.agents/skills'];

type Agent = keyof typeof FILES;
const AGENTS = Object.keys(FILES) as Agent[];

describe('agents are connected', () => {
  const scratch = makeScratch();
  const fileOf = (agent: Agent) => join(scratch.path, FILES[agent][0]);
  const text = (agent: Agent) => readFileSync(fileOf(agent), 'utf8');
  const reset = (agent: Agent) => {
    mkdirSync(dirname(fileOf(agent)), { recursive: true });
    writeFileSync(fileOf(agent), FILES[agent][1]);
  };
  const rows = () => list().locator('.monaco-list-row');
  const button = (message: RegExp, name: string) =>
    page.locator('.notification-list-item').filter({ hasText: message }).getByRole('button', { name });
  /** In the page: a tooltip may cover it, and a list that has just closed takes the focus back. */
  const pressButton = (message: RegExp, name: string) => button(message, name).first().dispatchEvent('click');
  const press = async (message: RegExp, name: string) => {
    await notification(page, message);
    await pressButton(message, name);
  };
  const isGone = (question: RegExp) =>
    until('the end of the question', async () =>
      (await notifications(page)).some((text) => question.test(text)) ? undefined : true,
    );
  /** A button in the title bar of the diff. */
  const answer = (name: 'Write' | 'Cancel') =>
    page.locator('.editor-actions').getByRole('button', { name }).click();
  const diff = () => page.locator('.monaco-diff-editor');
  const connect = async (agent: Agent) => {
    await runCommand(page, 'Workspace MCP: Connect Agent');
    await choose(entry(new RegExp(`^\\s*${agent}`)));
    if (agent !== 'Codex') await choose(entry(/All Your Projects/)); // Codex has one file
  };
  const stateOf = async (agent: string, state: RegExp) => {
    await runCommand(page, 'Workspace MCP: Connect Agent');
    await entry(new RegExp(`^\\s*${agent}`))
      .filter({ hasText: state })
      .waitFor();
    await page.keyboard.press('Escape');
  };
  const isConfigured = (agent: Agent) =>
    until(`the entry of ${agent}`, async () => text(agent).includes('shim.js') || undefined);

  before(() => AGENTS.forEach(reset));

  openWindow({
    env: {
      HOME: scratch.path,
      CLAUDE_CONFIG_DIR: undefined,
      CODEX_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
    },
  });

  after(() => scratch.remove());

  it('a notification offers it, once', async () => {
    const message = /can connect agents of this machine/;
    assert.match(await notification(page, message), /Claude Code, Codex\./);
    await screenshot(page, 'connect-offer');
    await pressButton(message, 'Connect…');
    await entry(/^\s*Codex/).waitFor();
    await screenshot(page, 'connect-picker');
    await page.keyboard.press('Escape');
  });

  it('a change is asked about until it is answered: the command shows it again, and closing it is a no', async () => {
    await connect('Codex');
    await diff().waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await diff().waitFor({ state: 'detached' });
    await runCommand(page, 'Workspace MCP: Connect Agent');
    await diff().waitFor();
    await notification(page, /Connect Codex\?/);
    await runCommand(page, 'View: Close Editor');
    await diff().waitFor({ state: 'detached' });
    await isGone(/Connect Codex\?/);
    assert.equal(text('Codex'), FILES.Codex[1]);
    await runCommand(page, 'View: Close All Editors');
  });

  for (const agent of AGENTS)
    it(`${agent}: what the diff shows is written, and nothing before`, async () => {
      await connect(agent);
      await page
        .locator('.monaco-diff-editor .modified .view-line')
        .filter({ hasText: 'shim.js' })
        .first()
        .waitFor();
      const question = new RegExp(`Connect ${agent}\\?`);
      await notification(page, question);
      await screenshot(page, `connect-diff-${agent.replace(' ', '-')}`);
      assert.equal(text(agent), FILES[agent][1]);
      await answer('Write');
      await isConfigured(agent);
      await notification(page, new RegExp(`${agent} is configured in`));
      await diff().waitFor({ state: 'detached' });
      await isGone(question);
      await stateOf(agent, /(?<!not )configured/);
    });

  it('the doctor in a terminal says what the window knows of them', async () => {
    const shim = join(projectRoot, 'dist/shim.js');
    const { stdout } = spawnSync(process.execPath, [shim, '--doctor'], { cwd: folder, encoding: 'utf8' });
    assert.match(stdout, /✔ Claude Code, user, .*claude\.json: configured/);
    assert.match(stdout, /! Codex, hooks, .*hooks\.json: written\. None has come .* reviewed 0 of 5/);
    for (const folder of SKILLS) assert.match(stdout, new RegExp(`skills, .*/${folder}: written`));
  });

  it("VS Code's own agent starts the server without a configuration", async () => {
    const own = rows().locator('.label-name').getByText('Workspace MCP', { exact: true });
    // Opened again until it works: VS Code closes a list when something else takes the focus.
    await retry('VS Code does not list the server', async (timeout) => {
      await runCommand(page, 'MCP: List Servers');
      await clickRow(own.first(), timeout);
      await waitForRow(entry(/Start Server/), timeout);
    });
    await choose(entry(/Start Server/)); // which shows the output
    const log = page.locator('.part.panel .view-line');
    await log.filter({ hasText: /Discovered\s\d\d\stools/ }).waitFor();
    await screenshot(page, 'connect-vscode');
    await runCommand(page, 'View: Toggle Panel Visibility');
    await stateOf('VS Code', /connected now/);
  });

  it('keeps comments and the other servers', () => {
    for (const agent of AGENTS) assert.match(text(agent), /shim\.js/);
    for (const kept of ['# mine', '# fast', "command = 'x'"]) assert.ok(text('Codex').includes(kept));
    assert.ok(text('Claude Code').includes('"other": {"command": "x", "args": []}'));
  });

  it('an entry whose shim has gone is broken, and repaired', async () => {
    const before = text('Codex');
    writeFileSync(fileOf('Codex'), before.replace(/"[^"]*shim\.js"/, '"/gone/.workspace-mcp/shim.js"'));
    await stateOf('Codex', /broken: .*\/gone\/.* does not exist/);
    await connect('Codex');
    await answer('Write');
    await until('the repair', async () => text('Codex') === before || undefined);
  });

  it('removes only our entries: the files are what they were, byte for byte', async () => {
    // The file of an agent that may have an entry is listed, but does not keep the others from being removed.
    const invalid = join(scratch.path, '.qwen', 'settings.json');
    mkdirSync(dirname(invalid));
    writeFileSync(invalid, '{ "a": [ }');
    await runCommand(page, 'Workspace MCP: Remove from Agents');
    await entry(/^\s*Qwen Code/).waitFor();
    await entry(/^\s*Codex/).waitFor();
    await screenshot(page, 'connect-remove-pick');
    await page.keyboard.press('Enter');
    await notification(page, /Remove Workspace MCP from .*claude\.json.*\(1\/2\)/);
    await screenshot(page, 'connect-remove');
    await answer('Write');
    await notification(page, /Remove Workspace MCP from .*config\.toml.*\(2\/2\)/);
    await answer('Write');
    await notification(page, /Workspace MCP is removed from/);
    for (const agent of AGENTS) {
      assert.equal(text(agent), FILES[agent][1], agent);
      assert.ok(!existsSync(`${fileOf(agent)}.workspace-mcp-backup`), agent);
    }
    for (const folder of SKILLS) assert.ok(!existsSync(join(scratch.path, folder)), folder);
  });

  it('a file that is not valid is opened at its line', async () => {
    writeFileSync(fileOf('Codex'), 'model = "o3"\nwrong\n');
    await connect('Codex');
    await press(/config\.toml is not valid, line 2/, 'Open File');
    await page.locator('.editor-instance .view-line').filter({ hasText: 'wrong' }).waitFor();
    await screenshot(page, 'connect-invalid');
    assert.equal(text('Codex'), 'model = "o3"\nwrong\n');
  });
});
