/** The product as a user has it: the package installed in VS Code, and an agent behind the shim that the extension left at its stable place. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';
import { answer, answerAboveDiff, deny, noQuestion, question, questionFrame } from '../headless/consent.ts';
import { clickIntoText, openFile, shownText } from '../headless/editor.ts';
import { type Host, startHost } from '../headless/host.ts';
import { choose, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { openView, rows } from '../headless/views.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';
const shim = join(process.env.WORKSPACE_MCP_HOME ?? '', 'shim.js');
const path = 'src/greeting.ts';
const onDisk = () => readFileSync(join(folder, path), 'utf8');
/** How it greets at present, whatever the tests before have made of it. */
const greeting = () => /`(.*) \$/.exec(onDisk())?.[1] ?? '';

describe('the packaged extension', () => {
  let host: Host;
  let page: Page;
  let agent: HostAgent;

  const made = { edits: 0, failures: 0 };
  /** The agent has it greet in another way; without waiting for the end, because the person has to be asked first. */
  const edit = (newText: string) => {
    const result = agent.call('edit_file', { path, edits: [{ oldText: greeting(), newText }] });
    made.edits++;
    result.catch(() => made.failures++); // looked at later
    return result;
  };

  before(async () => {
    host = await startHost({
      target: folder,
      installExtension: join(projectRoot, 'dist/workspace-mcp.vsix'),
    });
    page = host.page;
    await windowRecord();
    agent = await connectAgent(folder, { shim, name: 'Example Agent' });
    await openFile(page, 'greeting.ts');
  });

  afterEach(async () => {
    agent.cancelCalls();
    await noQuestion(page);
  });

  after(async () => {
    await agent?.client.close();
    await host?.close();
  });

  it('tells that an agent is connected', async () => {
    assert.equal(await statusBarText(page, /MCP 1/), 'MCP 1');
    await screenshot(page, 'package-connected');
  });

  it('copies a configuration that names the stable shim', async () => {
    await runCommand(page, 'Workspace MCP: Copy Agent Configuration');
    const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
    await choose(rows.filter({ hasText: 'Claude Code' }));
    const copied = await until('the copied text', async () => {
      const text: string = await page.evaluate('navigator.clipboard.readText()');
      return text.includes('shim.js') ? text : undefined;
    });
    assert.ok(copied.includes(shim), copied);
  });

  it('asks before an edit, shows the diff, and edits once it is allowed', async () => {
    const before = greeting();
    const result = edit('Good morning');
    assert.match(
      await question(page),
      /^Edit “src\/greeting\.ts”“Example Agent” asks, in .*\(edit_file\)lines: \+1 −1/,
    );
    await page.locator('.tab').filter({ hasText: '“Example Agent” asks' }).waitFor();
    const lines = questionFrame(page).locator('tr.added, tr.removed');
    assert.match(
      (await lines.allTextContents()).join('\n'),
      new RegExp(`−.*${before}.*\n.*\\+.*Good·morning`),
    );
    assert.equal(greeting(), before);
    await screenshot(page, 'package-question');
    await answer(page, 'Allow Once');
    assert.match(await result, /src\/greeting\.ts: 1 replacement, version \d+, saved/);
    assert.equal(greeting(), 'Good morning');
    await noQuestion(page);
    await until('the new text', async () => /Good morning/.test(await shownText(page)) || undefined);
    await screenshot(page, 'package-edited');
  });

  it('gives the text back with one undo', async () => {
    const before = greeting();
    const result = edit('Good evening');
    await question(page);
    await answer(page, 'Allow Once');
    await result;
    await noQuestion(page);
    await openFile(page, 'greeting.ts');
    await until('the new text', async () => /Good evening/.test(await shownText(page)) || undefined);
    await clickIntoText(page.locator('.editor-instance'));
    await page.keyboard.press('Control+z');
    await until('the old text', async () => (await shownText(page)).includes(`\`${before} $`) || undefined);
    await screenshot(page, 'package-undone');
    await page.keyboard.press('Control+s');
    await until('the old text on the disk', () => greeting() === before || undefined);
  });

  it('hands the reason of a denial to the agent, and changes nothing', async () => {
    const before = greeting();
    const result = edit('Bye');
    await question(page);
    await deny(page, 'We stay polite here.');
    await assert.rejects(result, /denied this edit.* We stay polite here\./);
    assert.equal(greeting(), before);
  });

  it('takes the answer above the diff as well', async () => {
    const result = edit('Welcome');
    await answer(page, 'Open Diff');
    await page.locator('.monaco-diff-editor .modified').getByText('Welcome').first().waitFor();
    await screenshot(page, 'package-diff');
    await answerAboveDiff(page, 'Allow Once');
    assert.match(await result, /1 replacement/);
    assert.equal(greeting(), 'Welcome');
  });

  it('asks no more in a session where that was allowed', async () => {
    const first = edit('Hi');
    await question(page);
    await answer(page, 'Allow for Session');
    await first;
    await noQuestion(page);
    assert.match(await edit('Hello'), /1 replacement/);
  });

  it('lists what the agent has called, with what came of it', async () => {
    await openView(page, 'Workspace MCP');
    const shown = await until('the calls in the view', async () => {
      const all = await rows(page);
      return all.some((row) => row.includes('edit_file')) && !all.some((row) => row.includes('running'))
        ? all
        : undefined;
    });
    await screenshot(page, 'package-activity');
    const edits = shown.filter((row) => /edit_file.*src\/greeting\.ts/.test(row));
    assert.ok(
      shown.some((row) => row.includes('Example Agent')),
      shown.join('\n'),
    );
    assert.equal(edits.length, made.edits, shown.join('\n'));
    assert.equal(edits.filter((row) => !/done/.test(row)).length, made.failures, shown.join('\n'));
  });
});
