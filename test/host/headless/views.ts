/** The views at the side of a window. */
import type { Page } from 'playwright-core';
import { retry } from '../patience.ts';

/** Opens a view container by its icon in the activity bar, unless it is open. */
export async function openView(page: Page, title: string): Promise<void> {
  const tab = page.locator('.activitybar').getByRole('tab', { name: title });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
}

/**
 * The rows of the tree in the side bar from top to bottom, as a screen reader tells them; all at once, because they come and
 * go.
 */
export const rows = (page: Page): Promise<string[]> =>
  page
    .locator('.part.sidebar .pane-body .monaco-list-row')
    .evaluateAll((found) =>
      found
        .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.getAttribute('aria-label') ?? row.textContent ?? ''),
    );

/** Clicks an inline action of a row, which shows when the mouse is over it. @param label a part of what the row says */
export async function rowAction(page: Page, label: RegExp, action: string): Promise<void> {
  const row = page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: label }).first();
  // The rows may move while others come and go: then the mouse is over another one.
  await retry(`The row ${label} has no action "${action}"`, async (timeout) => {
    await row.hover({ timeout });
    await row.locator(`[aria-label^="${action}"]`).click({ timeout });
  });
}
