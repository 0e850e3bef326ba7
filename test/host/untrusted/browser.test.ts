/** What the person sees in a window without workspace trust, and once they have granted it. */
import type { Page } from 'playwright-core';
import { windowRecord } from '../agent.ts';
import { type Host, startHost } from '../headless/host.ts';
import { choose, runCommand, screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';
const SENTENCE = 'This workspace is not trusted: agents may only read.';

describe('the person in a window without workspace trust', () => {
  let host: Host;
  let page: Page;

  const item = () => page.locator('.statusbar-item').filter({ hasText: 'MCP' });
  const inStatusBar = () => page.locator(`.statusbar a[aria-label*="${SENTENCE}"]`);
  const row = (text: string) =>
    page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: text });

  before(async () => {
    host = await startHost({
      target: folder,
      extensionDevelopmentPath: projectRoot,
      workspaceTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
    page = host.page;
    await windowRecord();
  });

  after(() => host?.close());

  it('reads in the status bar and in the menu that agents may only read', async () => {
    await inStatusBar().waitFor();
    await item().click();
    await row(SENTENCE).waitFor();
    await screenshot(page, 'untrusted-menu');
    await page.keyboard.press('Escape');
  });

  it('reads it no more once they trust the workspace', async () => {
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
