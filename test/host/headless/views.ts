/** The views at the side of a window. */
import type { Page } from 'playwright-core';

/** Opens a view container by its icon in the activity bar, unless it is open. */
export async function openView(page: Page, title: string): Promise<void> {
  const tab = page.locator('.activitybar').getByRole('tab', { name: title });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
}

/** The rows of the tree in the side bar, as a screen reader tells them; all at once, because they come and go. */
export const rows = (page: Page): Promise<string[]> =>
  page
    .locator('.part.sidebar .pane-body .monaco-list-row')
    .evaluateAll((found) => found.map((row) => row.getAttribute('aria-label') ?? row.textContent ?? ''));

/** Clicks an inline action of a row, which shows when the mouse is over it. @param label a part of what the row says */
export async function rowAction(page: Page, label: RegExp, action: string): Promise<void> {
  const row = page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: label }).first();
  await row.hover();
  await row.locator(`[aria-label="${action}"]`).click();
}
