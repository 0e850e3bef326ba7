/** The person's side of a window: what somebody in front of it does and sees. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { cacheDirectory } from '../paths.ts';
import { retry } from '../patience.ts';

/**
 * Runs a command from the command palette.
 * @param title as the palette shows it, with its category: `Workspace MCP: Stop Server`
 * @throws when the palette does not offer it, as with a command that is disabled
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const palette = page.locator('.quick-input-widget:visible');
  const label = palette.locator('.monaco-list-row .label-name');
  const command = label.getByText(title, { exact: true });
  // Opened again until it works: the list is made when the palette opens, and the extension may just be starting.
  await retry(`The command palette does not offer "${title}"`, async (timeout) => {
    await page.keyboard.press('F1');
    try {
      await palette.locator('input.input').fill(`>${title}`, { timeout });
      await clickRow(command.first(), timeout);
      await command.first().waitFor({ state: 'hidden', timeout: CLICK });
    } catch (error) {
      await page.keyboard.press('Escape');
      throw error;
    }
  });
}

/** Clicks a row of a list until it has gone: a click on a row that is drawn again meanwhile is lost. */
export async function choose(row: Locator): Promise<void> {
  let isClicked = false;
  await retry('The row of a list cannot be chosen', async (timeout) => {
    if (isClicked && !(await row.first().isVisible())) return;
    await clickRow(row.first(), timeout);
    isClicked = true;
    await row.first().waitFor({ state: 'hidden', timeout });
  });
}

/** Milliseconds for a click: one that playwright gives up may have been made, and what it opened is taken for missing. */
const CLICK = 30_000;

/**
 * Clicks a row of a list once. The mouse is kept off the lists: over the input of the next one it would open a tooltip.
 *
 * @param ms for the row to come
 */
export async function clickRow(row: Locator, ms: number): Promise<void> {
  await waitForRow(row, ms);
  await row.click({ timeout: CLICK });
  await row.page().mouse.move(1, 1);
}

/** @throws what is listed, if the row does not come within `ms` */
export async function waitForRow(row: Locator, ms: number): Promise<void> {
  const rows = row.page().locator('.quick-input-widget:visible .monaco-list-row');
  try {
    await row.waitFor({ timeout: ms });
  } catch (cause) {
    const listed = (await labels(rows)).join(' | ') || 'nothing';
    throw new Error(`${(cause as Error).message}\nListed is ${listed}`, { cause });
  }
}

/** What a screen reader tells of the rows of a list. */
export const labels = (rows: Locator): Promise<string[]> =>
  rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));

/** The messages that nobody has dismissed, newest first. */
export function notifications(page: Page): Promise<string[]> {
  return inNotificationCenter(page, 'The messages', () => messages(page).allTextContents());
}

/** Waits for a message; returns its text. */
export function notification(page: Page, pattern: RegExp): Promise<string> {
  const message = messages(page).filter({ hasText: pattern }).first();
  return inNotificationCenter(page, `The message ${pattern}`, async (timeout) => {
    return (await message.textContent({ timeout })) ?? '';
  });
}

const messages = (page: Page) =>
  page.locator('.notifications-center.visible .notification-list-item-message');

/**
 * Looks behind the bell: with an extension in development this host shows no messages by themselves. Opened again until it works,
 * because the centre closes when its last message goes, which may be one of VS Code's own.
 */
function inNotificationCenter<T>(page: Page, what: string, look: (ms: number) => Promise<T>): Promise<T> {
  const center = page.locator('.notifications-center.visible');
  return retry(what, async (timeout) => {
    if ((await center.count()) === 0) await page.locator('[id="status.notifications"]').click({ timeout });
    await center.waitFor({ timeout });
    return look(timeout);
  });
}

/** Waits for an item of the status bar; returns its text (icons have none). */
export async function statusBarText(page: Page, pattern: RegExp): Promise<string> {
  const items = page.locator('.statusbar-item');
  return (await visibleText(items.filter({ hasText: pattern }))).trim();
}

const visibleText = async (found: Locator): Promise<string> => (await found.first().textContent()) ?? '';

/** Saves a picture of the window for people to look at; returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const directory = join(cacheDirectory, 'screenshots');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  return path;
}
