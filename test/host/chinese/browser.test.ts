/** The window in Chinese: VS Code hands an extension its translated texts in another form, and ours come along. */
import assert from 'node:assert/strict';
import { agent, EXAMPLE, openWindow, page } from '../caseWindow.ts';
import { questionFrame, takesAnswers } from '../headless/consent.ts';
import { choose, screenshot } from '../headless/palette.ts';

/** Of VS Code's own texts there is no translation here; it takes the language all the same. */
const SPEAK_CHINESE =
  "Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => 'zh-cn', set: () => {} })";

describe('in Chinese', () => {
  const rows = () => page.locator('.quick-input-widget:visible .monaco-list-row');
  const labels = () => rows().locator('.label-name').allTextContents();
  const openMenu = async () => {
    await page.locator('.statusbar-item').filter({ hasText: 'MCP 1' }).click();
    await rows().filter({ hasText: '显示日志' }).waitFor();
  };

  openWindow({ initScript: SPEAK_CHINESE, agent: EXAMPLE });

  it('the menu has its commands', async () => {
    await openMenu();
    await screenshot(page, 'chinese-menu');
    const shown = await labels();
    for (const label of ['停止服务器', '重启服务器', '管理批准', '复制代理配置'])
      assert.ok(shown.includes(label), `${shown}`);
    await page.keyboard.press('Escape');
  });

  it('a question is asked, and answered', async () => {
    const edits = [{ oldText: '42', newText: '43' }];
    const result = agent.call('edit_file', { path: 'src/answer.ts', edits });
    await page.locator('.tab').filter({ hasText: '“Example Agent” 请求：编辑 “src/answer.ts”' }).waitFor();
    await page.setViewportSize({ width: 1200, height: 720 });
    await takesAnswers(page);
    await screenshot(page, 'chinese-question');
    await page.setViewportSize({ width: 1440, height: 900 });
    await openMenu();
    await choose(rows().filter({ hasText: '“Example Agent” 请求：编辑 “src/answer.ts”（edit_file）' }));
    await questionFrame(page).getByRole('button', { name: '允许一次' }).click();
    assert.match(await result, /1 replacement/);
  });
});
