/** The person at the text of a file. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../agent.ts';
import { retry } from '../patience.ts';
import { clickRow } from './palette.ts';

/** Opens a file of the workspace by its name, as Go to File does. */
export async function openFile(page: Page, name: string): Promise<void> {
  const picker = page.locator('.quick-input-widget:visible');
  await retry(`${name} does not open`, async (timeout) => {
    await page.keyboard.press('Control+p');
    try {
      await picker.locator('input.input').fill(name, { timeout });
      await clickRow(picker.locator('.monaco-list-row').filter({ hasText: name }).first(), timeout);
      const group = page.locator('.editor-group-container.active');
      await group.locator('.tab.active').filter({ hasText: name }).waitFor({ timeout });
    } catch (error) {
      await page.keyboard.press('Escape');
      throw error;
    }
  });
}

/**
 * Puts the cursor into an editor, which is active then, as is its group. Not by its lines: they are much wider than the editor,
 * so that playwright, which clicks the centre of an element, scrolls until something else lies there. What is clicked is as
 * large as what is seen of the text, at the left of it and halfway down: far from messages, and from the tooltips of tabs.
 *
 * @param around what holds the editor: its group, or one side of a diff
 */
export async function clickIntoText(around: Locator): Promise<void> {
  const text = around.locator('.monaco-editor .editor-scrollable').first();
  await retry('The editor does not take the cursor', async (timeout) => {
    const { height = 0 } = (await text.boundingBox({ timeout })) ?? {};
    await text.click({ position: { x: 40, y: height / 2 }, timeout });
    await around.locator('.monaco-editor.focused').first().waitFor({ timeout });
  });
}

/** The text that the editor in front shows; what is scrolled out of sight is not in it. */
export async function shownText(page: Page): Promise<string> {
  const lines = page.locator('.editor-instance .monaco-editor .view-lines').first();
  const rows = await lines.locator('.view-line').evaluateAll((found) =>
    found.map((row) => ({
      top: Number.parseFloat((row as { style?: { top?: string } }).style?.top ?? '0'),
      text: (row.textContent ?? '').replaceAll('\u00a0', ' '),
    })),
  );
  return rows
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text)
    .join('\n');
}

/** In the page: what VS Code has stored of its editors. */
const STORED = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  let stored = '';
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const state = await done(indexedDB.open(name));
    const table = state.transaction('ItemTable').objectStore('ItemTable');
    stored += await done(table.get('memento/workbench.parts.editor'));
    state.close();
  }
  return stored;
})()`;

/** Waits until a reload will find this tab again: in a browser, VS Code stores which tabs there are every 5 s. */
export const isStored = async (page: Page, tab: string): Promise<true> =>
  until(
    `the tab ${tab} in what VS Code has stored`,
    async () => (await page.evaluate<string>(STORED)).includes(tab) || undefined,
  );
