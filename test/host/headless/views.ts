/** The views at the side of a window. */
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { within } from '../../../src/util/clock.ts';
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

/**
 * Clicks an inline action of a row, which shows when the mouse is over it, until it has had its effect: a click on a row that
 * is drawn again meanwhile is lost.
 *
 * @param label a part of what the row says
 * @param effect settles once the action has been done
 */
export async function rowAction(
  page: Page,
  label: RegExp,
  action: string,
  effect: Promise<unknown>,
): Promise<void> {
  const settled = effect.then(
    () => true,
    () => true,
  );
  const row = page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: label }).first();
  // The rows may move while others come and go: then the mouse is over another one.
  await retry(`The action "${action}" of the row ${label}`, async (timeout) => {
    if (await within(settled, 0, false)) return;
    await row.hover({ timeout });
    await row.locator(`[aria-label^="${action}"]`).click({ timeout });
    if (!(await within(settled, timeout, false))) throw new Error('it was clicked, and nothing happened');
  });
  await effect;
}

/** Opens a row of the tree, unless it is open: a click on a row that is drawn again meanwhile is lost. @param label a part of what it says */
export async function expandRow(page: Page, label: string | RegExp): Promise<void> {
  const row = page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: label }).first();
  await retry(`The row ${label} does not open`, async (timeout) => {
    const isOpen = (await row.getAttribute('aria-expanded', { timeout })) === 'true';
    if (!isOpen) await row.locator('.monaco-tl-twistie').click({ timeout });
    await row.and(page.locator('[aria-expanded="true"]')).waitFor({ timeout });
  });
}

/** Opens the diff of a changed file by its row: a click on a row that is drawn again meanwhile is lost. @param path as the row says it */
export async function openDiffOf(page: Page, path: string): Promise<void> {
  const row = page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: path }).first();
  const tab = page.locator('.tab.active').filter({ hasText: basename(path) });
  await retry(`The diff of ${path} does not open`, async (timeout) => {
    await row.click({ timeout });
    await tab.waitFor({ timeout });
    await page.locator('.monaco-diff-editor .modified').first().waitFor({ timeout });
  });
}
