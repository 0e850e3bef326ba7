/**
 * A window without workspace trust, on a repository whose settings try to open more than the person did; then with trust. It is
 * in Chinese: VS Code hands an extension its translated texts in another form.
 */
import assert from 'node:assert/strict';
import { connectAgent, windowRecord } from '../agent.ts';
import { agent, connect, folder, list, openWindow, page } from '../caseWindow.ts';
import { questionFrame, takesAnswers } from '../headless/consent.ts';
import { choose, screenshot } from '../headless/palette.ts';

/** VS Code takes the language, though its own texts have no translation here. */
const SPEAK_CHINESE =
  "Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => 'zh-cn', set: () => {} })";

/** "This workspace is not trusted: agents may only read." */
const SENTENCE = '此工作区不受信任：代理只能读取。';

describe('a window without workspace trust', () => {
  const inStatusBar = () => page.locator(`.statusbar a[aria-label*="${SENTENCE}"]`);
  const row = (text: string) => list().locator('.monaco-list-row').filter({ hasText: text });
  const openMenu = async () => {
    await page.locator('.statusbar-item').filter({ hasText: 'MCP' }).click();
    await row('显示日志').waitFor();
  };

  openWindow({
    initScript: SPEAK_CHINESE,
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
    await openMenu();
    await screenshot(page, 'untrusted-menu');
    const shown = await list().locator('.label-name').allTextContents();
    for (const label of ['停止服务器', '重启服务器', '管理批准', '复制代理配置'])
      assert.ok(shown.includes(label), `${shown}`);
    await choose(row(SENTENCE));
    await page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .first()
      .click();
    await inStatusBar().waitFor({ state: 'detached' });
    const before = page.locator('.monaco-modal-editor-block'); // stands before all else
    await before.locator('.codicon-close').first().click();
    await before.waitFor({ state: 'detached' });
    await openMenu();
    await row(SENTENCE).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('asks the person, and takes the answer, once it is trusted', async () => {
    await connect();
    const edits = [{ oldText: 'Hello', newText: 'Hi' }];
    const result = agent.call('edit_file', { path: 'hello.txt', edits });
    await page.locator('.tab').filter({ hasText: '“Example Agent” 请求：编辑 “hello.txt”' }).waitFor();
    await page.setViewportSize({ width: 1200, height: 720 });
    await takesAnswers(page);
    await screenshot(page, 'chinese-question');
    await page.setViewportSize({ width: 1440, height: 900 });
    await openMenu();
    await choose(row('“Example Agent” 请求：编辑 “hello.txt”（edit_file）'));
    await questionFrame(page).getByRole('button', { name: '允许一次' }).click();
    assert.match(await result, /1 replacement/);
  });
});
