/** What a person sees of agents and does with them: the view, the menu, and the lists behind it. */
import assert from 'node:assert/strict';
import { connectAgent, until } from '../agent.ts';
import { agent, call, connect, entry, folder, list, noRow, onDisk, page, row } from '../caseWindow.ts';
import { answer, takesAnswers } from '../headless/consent.ts';
import { choose, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { openView, rowAction, rows } from '../headless/views.ts';
import { retry } from '../patience.ts';

const path = 'src/answer.ts';

describe('the person, and agents', () => {
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  /** The number in the file at present, whatever the tests before have made of it. */
  const number = () => /\d+/.exec(onDisk(path))?.[0] ?? '';
  /** The agent writes another number; without waiting for its end. */
  const edit = (newText: string) => call('edit_file', { path, edits: [{ oldText: number(), newText }] });

  describe('before there is one', () => {
    it('the view says what to do', async () => {
      await openView(page, 'Workspace MCP');
      const welcome = page.locator('.welcome-view-content:visible');
      await welcome.getByText('No agent is connected').waitFor();
      await screenshot(page, 'ui-welcome');
      await welcome.getByText('Connect Agent').click();
      await entry('Codex').waitFor();
      await page.keyboard.press('Escape');
    });

    it('the walkthrough has five steps', async () => {
      await runCommand(page, 'Workspace MCP: Get Started with an Agent');
      const steps = page.locator('.getting-started-step');
      await steps.filter({ hasText: 'Review what your agent changed' }).waitFor();
      assert.equal(await steps.count(), 5);
      await page.locator('.getting-started-media img').first().waitFor();
      await screenshot(page, 'ui-walkthrough');
      await runCommand(page, 'View: Close All Editors');
    });
  });

  describe('the view', () => {
    before(() => connect());

    it('lists an agent and its calls as they happen, with what came of them', async () => {
      await row(/^Example Agent/);
      await agent.call('read_file', { path });
      await row(/^read_file src\/answer\.ts · .+s, done/);
      await assert.rejects(agent.call('read_file', { path: 'none.ts' }));
      await row(/^read_file none\.ts · .+s, failed/);
      await row(/^Example Agent, 2 calls/);
      assert.match((await rows(page))[1] ?? '', /none\.ts/, 'the last one comes first');
      await screenshot(page, 'ui-calls');
    });

    it('shows what a call said when the mouse is over it', async () => {
      const called = page.locator('.pane-body .monaco-list-row').filter({ hasText: 'none.ts' }).first();
      await retry('The tooltip does not show', async (timeout) => {
        await page.mouse.move(700, 400);
        await called.hover({ timeout });
        await page.locator('.workbench-hover-container').getByText('There is no file').waitFor({ timeout });
      });
      await screenshot(page, 'ui-tooltip');
      await page.mouse.move(700, 400);
    });

    it('copies a call as JSON-RPC', async () => {
      const copied = until('the copy', async () => {
        const text = await clipboard();
        return text.includes('none.ts') ? text : undefined;
      });
      await rowAction(page, /none\.ts/, 'Copy as JSON-RPC', copied);
      const [request, response] = (await copied)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(request.params, { name: 'read_file', arguments: { path: 'none.ts' } });
      assert.equal(response.id, request.id);
      assert.equal(response.result.isError, true);
    });

    it('shows first what waits for an answer, with a badge, and takes the answer', async () => {
      const result = edit('43');
      await row(/^Edit “src\/answer\.ts”/);
      await page.locator('.activitybar .badge').filter({ hasText: '1' }).waitFor();
      assert.match((await rows(page))[0] ?? '', /^Edit “src\/answer\.ts”/);
      await page.locator('.statusbar-item.has-background-color').filter({ hasText: 'MCP 1' }).waitFor();
      await takesAnswers(page);
      await screenshot(page, 'ui-waiting');
      await rowAction(page, /^Edit “src/, 'Allow Once', result);
      assert.match(await result, /1 replacement/);
      assert.equal(number(), '43');
      await row(/^edit_file src\/answer\.ts · .*, done/);
    });

    it('cancels a running call: the agent is told, and the question goes', async () => {
      const before = number();
      const result = edit('44');
      await row(/^edit_file src\/answer\.ts · …, running/);
      await row(/^Edit “src/);
      const isTold = assert.rejects(result, /^Error: The user cancelled this call\.$/);
      await rowAction(page, /^edit_file.*…/, 'Cancel Call', isTold);
      await row(/^edit_file src\/answer\.ts · .*, cancelled/);
      await noRow(/^Edit “src/);
      assert.equal(number(), before);
      await screenshot(page, 'ui-cancelled');
    });

    it('disconnects an agent, whose changes stay to be reviewed', async () => {
      const { closed } = agent;
      await rowAction(page, /^Example Agent/, 'Disconnect Agent', closed);
      await noRow(/^Example Agent/);
      await row(/^Changed by “Example Agent” \(1\)/);
      await screenshot(page, 'ui-disconnected');
    });
  });

  describe('the lists', () => {
    before(() => connect());

    it('the menu shows state, agents, calls and commands, and opens from the status bar', async () => {
      await agent.call('get_workspace');
      await statusBarText(page, /MCP 1/);
      await page.locator('.statusbar-item').filter({ hasText: 'MCP 1' }).click();
      for (const text of ['Example Agent', 'get_workspace', 'Stop Server', 'Manage Approvals'])
        await entry(text).waitFor();
      assert.equal(await entry('Start Server').count(), 1, 'Restart Server only');
      await screenshot(page, 'ui-menu');
      await page.keyboard.press('Escape');
    });

    it('the menu answers what waits', async () => {
      const result = edit('45');
      await row(/^Edit “src/);
      await runCommand(page, 'Workspace MCP: Show Server Menu');
      await choose(entry('asks: Edit'));
      await answer(page, 'Allow for Session');
      assert.match(await result, /1 replacement/);
    });

    it('the box for a reason goes with its question', async () => {
      const call = new AbortController();
      const edits = [{ oldText: number(), newText: '46' }];
      const other = await connectAgent(folder, { name: 'Other Agent' });
      const options = { signal: call.signal };
      const result = other.client.callTool({ name: 'edit_file', arguments: { path, edits } }, options);
      result.catch(() => {}); // looked at later
      await row(/^Edit “src/);
      await answer(page, 'Deny with Reason…');
      await list().getByText('Why? The agent reads your reason').waitFor();
      await list().locator('input.input').fill('Because');
      call.abort();
      await list().waitFor({ state: 'hidden' });
      await assert.rejects(result);
      await other.client.close();
    });

    it('approvals are listed, and taken back', async () => {
      await edit('47'); // allowed for the session
      await runCommand(page, 'Workspace MCP: Manage Approvals');
      await entry('Change text').waitFor();
      await screenshot(page, 'ui-approvals');
      await choose(entry('Change text'));
      await entry('Change text').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      const result = edit('48');
      await row(/^Edit “src/);
      await answer(page, 'Always Allow…');
      await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Always Allow' }).click();
      await result;
      await runCommand(page, 'Workspace MCP: Manage Approvals');
      await choose(entry('Change text'));
      await entry('Nothing: agents always ask').waitFor();
      await page.keyboard.press('Escape');
    });
  });
});
