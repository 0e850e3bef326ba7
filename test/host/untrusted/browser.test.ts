/** A window without workspace trust, on a repository whose settings try to open more than the person did; then with trust. */
import assert from 'node:assert/strict';
import { connectAgent, windowRecord } from '../agent.ts';
import { folder, openWindow, page } from '../caseWindow.ts';
import { choose, runCommand, screenshot } from '../headless/palette.ts';

const SENTENCE = 'This workspace is not trusted: agents may only read.';

describe('a window without workspace trust', () => {
  const item = () => page.locator('.statusbar-item').filter({ hasText: 'MCP' });
  const inStatusBar = () => page.locator(`.statusbar a[aria-label*="${SENTENCE}"]`);
  const row = (text: string) =>
    page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: text });

  openWindow({
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  it('lets agents only read, and not out by the settings of the repository, which may narrow only', async () => {
    assert.equal((await windowRecord()).trusted, false);
    await using agent = await connectAgent(folder);
    assert.match(await agent.call('get_workspace'), /not trusted: agents may only read/);
    assert.equal(await agent.call('read_file', { path: 'hello.txt' }), 'Hello from a stranger.\n');
    assert.match(await agent.call('search_text', { query: 'stranger' }), /hello\.txt/);
    await assert.rejects(agent.call('read_file', { path: '/etc/hostname' }), /outside/);
    await assert.rejects(agent.call('read_file', { path: 'long.txt' }), /101 bytes; the limit is 64 bytes/);
    await assert.rejects(agent.call('read_file', { path: 'private/notes.txt' }), /closed to agents/);
  });

  it('tells the person in the status bar and in the menu that agents may only read', async () => {
    await inStatusBar().waitFor();
    await item().click();
    await row(SENTENCE).waitFor();
    await screenshot(page, 'untrusted-menu');
    await page.keyboard.press('Escape');
  });

  it('tells it no more once they trust the workspace', async () => {
    await item().click();
    await choose(row(SENTENCE));
    await page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .first()
      .click();
    await inStatusBar().waitFor({ state: 'detached' });
    await runCommand(page, 'Workspace MCP: Show Server Menu');
    await row('Show Log').waitFor();
    await row(SENTENCE).waitFor({ state: 'detached' });
  });
});
