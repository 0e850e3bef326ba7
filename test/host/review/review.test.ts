/** Who reviews what agents changed: sees it, goes through it, takes some of it back, and follows an agent. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../agent.ts';
import { agent, connect, entry, folder, onDisk, page, row } from '../caseWindow.ts';
import { answer, noQuestion } from '../headless/consent.ts';
import { clickIntoText, openFile, shownText } from '../headless/editor.ts';
import { choose, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { expandRow, openDiffOf, openView, rowAction } from '../headless/views.ts';
import { retry } from '../patience.ts';

const ORDER = 'shop/order.ts';
const TAX = 'shop/tax.ts';

describe('the review', () => {
  const edit = (path: string, oldText: string, newText: string) =>
    agent.call('edit_file', { path, edits: [{ oldText, newText }] });
  const isOnDisk = (path: string, what: RegExp) =>
    until(`${what} in ${path}: ${onDisk(path)}`, () => what.test(onDisk(path)) || undefined);
  const isGone = (path: string, what: RegExp) =>
    until(`no ${what} in ${path}`, () => !what.test(onDisk(path)) || undefined);
  const activeTab = (name: string) => page.locator('.tab.active').filter({ hasText: name });
  /** By keys: a command that the palette runs twice would go too far. */
  const goNext = async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('j');
  };
  const goBack = async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Shift+j');
  };
  const cursorAt = (line: number) => statusBarText(page, new RegExp(`Ln ${line},`));

  before(() => connect());

  after(() => agent.client.close());

  it('marks what an agent changed, and counts the files', async () => {
    await openFile(page, 'order.ts');
    const first = edit(ORDER, '  price: number;', '  /** In cents. */\n  price: number;');
    await answer(page, 'Allow for Session');
    await first;
    await noQuestion(page);
    await edit(ORDER, '=== 0;', '<= 0;');
    await edit(TAX, '0.19', '0.2');
    await statusBarText(page, /MCP 1\s+2/);
    const marks = page.locator('.editor-instance .glyph-margin-widgets .cgmr');
    await until('two marks', async () => (await marks.count()) === 2 || undefined);
    await retry('The hover does not show', async (timeout) => {
      await page.mouse.move(700, 700);
      // In its line: a hover that VS Code has hidden keeps its text.
      await page.locator('.view-line').getByText('isFree').hover({ timeout });
      await page.locator('.view-line').filter({ hasText: '<= 0' }).getByText('return').hover({ timeout });
      const hover = page.locator('.monaco-hover').getByText('Changed by “Example Agent”, edit_file,');
      await hover.waitFor({ timeout });
    });
    await screenshot(page, 'review-marks');
  });

  it('goes from change to change, and on to the next file', async () => {
    await clickIntoText(page.locator('.editor-group-container').first());
    await page.keyboard.press('Control+Home');
    await goNext();
    await cursorAt(5);
    await goNext();
    await cursorAt(19);
    await goNext();
    await activeTab('tax.ts').waitFor();
    await cursorAt(3);
    await goBack();
    await activeTab('order.ts').waitFor();
    await cursorAt(19);
  });

  it('reverts the change at the cursor, and keeps what was typed, as one undo step', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// typed');
    await page.keyboard.press('Control+s');
    await isOnDisk(ORDER, /typed/);
    await goBack();
    await cursorAt(19);
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await entry('All changes in').waitFor();
    await screenshot(page, 'review-revert');
    await choose(entry('The change at the cursor'));
    await isOnDisk(ORDER, /=== 0;[\s\S]*typed/);
    assert.match(onDisk(ORDER), /In cents/);
    await clickIntoText(page.locator('.editor-group-container').first());
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await isOnDisk(ORDER, /<= 0;[\s\S]*typed/);
  });

  it('shows all of it in one editor, where what is typed is no change of the agent', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Workspace MCP: Review Agent Changes');
    await activeTab('Changes of agents').waitFor();
    const diff = page.locator('.multiDiffEditor');
    await diff.getByText('order.ts').first().waitFor();
    await diff.getByText('tax.ts').first().waitFor();
    await diff.locator('.modified .line-insert, .modified .char-insert').first().waitFor();
    await screenshot(page, 'review-diff');
    const inserted = await diff.locator('.modified .view-line').filter({ hasText: 'typed' }).count();
    assert.ok(inserted <= 1);
    await runCommand(page, 'View: Close All Editors');
  });

  it('lists the files and edits of the agent, and reverts a file from there', async () => {
    await openView(page, 'Workspace MCP');
    await expandRow(page, 'Changed files (2)');
    await row(/^shop\/tax\.ts/);
    await openDiffOf(page, TAX);
    await screenshot(page, 'review-view');
    await rowAction(page, /^shop\/tax\.ts/, 'Revert Agent Change', isOnDisk(TAX, /0\.19/));
    await row(/Changed files \(1\)/);
    await statusBarText(page, /MCP 1\s+1/);
    await runCommand(page, 'View: Close All Editors');
  });

  it('follows the agent beside the text, until the user types, and loses no key', async () => {
    await openFile(page, 'order.ts');
    await clickIntoText(page.locator('.editor-group-container').first());
    await page.keyboard.press('Control+End');
    await runCommand(page, 'Workspace MCP: Follow Agent');
    await statusBarText(page, /^\s*Example Agent/);
    await agent.call('read_file', { path: TAX, startLine: 3 });
    await page.locator('.tab').filter({ hasText: 'tax.ts' }).waitFor();
    await page.locator('.editor-group-container').nth(1).waitFor();
    assert.equal(await page.locator('.editor-group-container.active .tab.active').textContent(), 'order.ts');
    await screenshot(page, 'review-follow');
    const [typed] = ['abcdefghijklmnopqrstuvwxyz0123456789'];
    await Promise.all([
      page.keyboard.type(typed, { delay: 40 }),
      edit(TAX, '0.19', '0.21').then(() => agent.call('read_file', { path: TAX })),
      statusBarText(page, /No longer following the agent/), // for some seconds
    ]);
    await page.keyboard.press('Control+s');
    await isOnDisk(ORDER, new RegExp(typed));
    assert.match(await shownText(page), /tax/);
  });

  it('reverts all of an agent after a confirmation, and then has nothing left', async () => {
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await choose(entry('All changes of “Example Agent”'));
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('What you have typed stays').waitFor();
    await screenshot(page, 'review-revert-all');
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await isOnDisk(TAX, /0\.19/);
    await isGone(ORDER, /In cents|<= 0/);
    assert.match(onDisk(ORDER), /typed/);
    await statusBarText(page, /MCP 1\s*$/);
  });

  it('reverts what was created, deleted and moved', async () => {
    await agent.call('write_file', { path: 'shop/made/new.ts', content: 'export {};\n' });
    const deletion = agent.call('delete_path', { path: TAX });
    await answer(page, 'Allow Once');
    await deletion;
    await noQuestion(page);
    await agent.call('move_path', { source: ORDER, destination: 'shop/bill.ts' });
    await edit('shop/bill.ts', '=== 0', '< 1');
    await statusBarText(page, /MCP 1\s+3/);
    await expandRow(page, 'Changed files (3)');
    await row(/^shop\/tax\.ts deleted/);
    await runCommand(page, 'Workspace MCP: Review Agent Changes');
    for (const name of ['bill.ts', 'new.ts', 'tax.ts'])
      await page.locator('.multiDiffEditor').getByText(name).first().waitFor();
    await screenshot(page, 'review-files');
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await choose(entry('All changes of “Example Agent”'));
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Revert' }).click();
    await statusBarText(page, /MCP 1\s*$/);
    await isOnDisk(TAX, /0\.19/);
    await isOnDisk('shop/bill.ts', /=== 0[\s\S]*typed/);
    await until(
      'the folders',
      () => `${readdirSync(join(folder, 'shop')).sort()}` === 'bill.ts,tax.ts' || undefined,
    );
  });
});
