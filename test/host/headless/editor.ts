/** The person at the text of a file. */
import type { Page } from 'playwright-core';

/** Opens a file of the workspace by its name, as Go to File does. */
export async function openFile(page: Page, name: string): Promise<void> {
  const picker = page.locator('.quick-input-widget:visible');
  await page.keyboard.press('Control+p');
  await picker.locator('input.input').fill(name);
  await picker.locator('.monaco-list-row').filter({ hasText: name }).first().click();
  await page.locator('.tab.active').filter({ hasText: name }).waitFor();
}

/** The text that the editor in front shows; what is scrolled out of sight is not in it. */
export async function shownText(page: Page): Promise<string> {
  const lines = page.locator('.editor-instance .monaco-editor .view-lines').first();
  const rows = await lines.locator('.view-line').all();
  const placed = await Promise.all(
    rows.map(async (row) => ({
      top: await row.evaluate((element) =>
        Number.parseFloat((element as { style?: { top?: string } }).style?.top ?? '0'),
      ),
      text: ((await row.textContent()) ?? '').replaceAll('\u00a0', ' '),
    })),
  );
  return placed
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text)
    .join('\n');
}
