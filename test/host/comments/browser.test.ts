/** The user comments on lines: the thread goes along with the text, with its file, and over a reload. */

import assert from 'node:assert/strict';
import { nextWindow, until, windowRecord } from '../agent.ts';
import { agent, connect, openWindow, page } from '../caseWindow.ts';
import { isStored, openFile } from '../headless/editor.ts';
import { notification, runCommand, screenshot } from '../headless/palette.ts';
import { retry } from '../patience.ts';
import { endProcess } from '../processes.ts';

const WORDS = '价格含税吗？ Is *tax* in it?';

/** In the page: the lines with a thread, as the numbers beside them, and whether it is open. */
const GLYPHS = `[...document.querySelectorAll('.editor-instance .margin-view-overlays > div')].flatMap((row) => {
  const glyph = row.querySelector('.comment-thread, .comment-thread-unresolved');
  const isOpen = glyph?.matches('.comment-thread-unresolved') ? 'open' : 'resolved';
  return glyph ? [row.querySelector('.line-numbers').textContent + ' ' + isOpen] : [];
}).join()`;

describe('comments', () => {
  openWindow({ settings: { 'comments.openView': 'never' } }); // its panel would start a terminal
  const thread = () => page.locator('.review-widget:visible');
  const threadsAre = (lines: string) =>
    until(`threads at ${lines}`, async () => (await page.evaluate<string>(GLYPHS)) === lines || undefined);
  const toLine = async (line: number) => {
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+Home');
    for (let at = 1; at < line; at++) await page.keyboard.press('ArrowDown');
  };

  it('stay on their lines', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openFile(page, 'order.ts');
    await toLine(5);
    await screenshot(page, 'comments-gutter');
    await runCommand(page, 'Comments: Add Comment on Current Selection');
    await thread().locator('.comment-form .monaco-editor.focused').waitFor();
    await page.keyboard.insertText('too long '.repeat(250));
    const add = thread().getByRole('button', { name: 'Comment' });
    await add.click();
    await notification(page, /2250 characters, 2000 at most/);
    await page.keyboard.press('Escape');
    await thread().locator('.comment-form .view-lines').getByText('too long').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Why?');
    await screenshot(page, 'comments-writing');
    await add.click();
    await thread().getByRole('button', { name: 'Edit Comment' }).click();
    await thread().locator('.edit-container .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(WORDS);
    await screenshot(page, 'comments-editing');
    await thread().getByRole('button', { name: 'Save' }).click();
    await thread().locator('.comment-body').getByText(WORDS).waitFor();
    await screenshot(page, 'comments-thread');
    await toLine(1);
    await page.keyboard.type('// one\n// two\n');
    await threadsAre('7 open');
    await screenshot(page, 'comments-moved');
    await page.keyboard.press('Control+s');
  });

  it('go with their file, and are there after a reload', async () => {
    await runCommand(page, 'File: Reveal Active File in Explorer View');
    await retry('The file is not renamed', async (timeout) => {
      await page.locator('.explorer-folders-view .monaco-list-row').getByText('order.ts').click({ timeout });
      await page.keyboard.press('F2');
      const box = page.locator('.explorer-item-edited input');
      await box.fill('orders.ts', { timeout });
      await page.keyboard.press('Enter');
      await page.locator('.tab.active').filter({ hasText: 'orders.ts' }).waitFor({ timeout });
    });
    await threadsAre('7 open');
    await isStored(page, 'orders.ts');
    const before = await windowRecord();
    await page.reload();
    await nextWindow(before);
    endProcess(before.pid);
    await threadsAre('7 open');
    await screenshot(page, 'comments-reloaded');
  });

  it('are answered by an agent, and resolved', async () => {
    await connect();
    assert.ok((await agent.call('list_comments')).includes(WORDS));
    await agent.call('resolve_comment', { id: 1, answer: 'No: **total** adds it.', resolve: false });
    await page.locator('.comment-range-glyph.comment-thread-unresolved').click();
    await thread().locator('.comment-body').getByText('No: **total** adds it.').waitFor();
    await screenshot(page, 'comments-answered');
    await thread().getByRole('button', { name: 'Resolve' }).click();
    await threadsAre('7 resolved');
    assert.match(await agent.call('list_comments'), /^There are no open comments/);
    await agent.call('open_file', {
      places: [
        { path: 'shop/orders.ts', line: 10, note: 'A <b>price</b>.' },
        { path: 'shop/tax.ts', line: 1, note: 'The tax.' },
      ],
    });
    await thread().locator('.comment-body').getByText('A <b>price</b>.').waitFor();
    await screenshot(page, 'comments-shown');
    const tab = (name: string) => page.locator('.tab.active').filter({ hasText: name });
    await thread().getByRole('button', { name: 'Next Place' }).click();
    await tab('tax.ts').waitFor();
    await thread().locator('.comment-body').getByText('The tax.').waitFor();
    await thread().getByRole('button', { name: 'Previous Place' }).click();
    await tab('orders.ts').waitFor();
    await thread().getByRole('button', { name: 'Close' }).click();
    await threadsAre('7 resolved');
  });
});
