/** How the person answers what an agent asks: by the links of the message, or by the buttons above the diff. */
import type { Locator, Page } from 'playwright-core';

export type Answer =
  | 'Allow once'
  | 'Allow for this session'
  | 'Always in this workspace'
  | 'Deny…'
  | 'Show diff';

/**
 * Waits for the question; returns its text.
 *
 * @param about a part of the text, where another question may still be leaving
 */
export async function question(page: Page, about?: string): Promise<string> {
  return (await toast(page, about).textContent()) ?? '';
}

/** Clicks a link of the question. */
export async function answer(page: Page, label: Answer, about?: string): Promise<void> {
  await toast(page, about)
    .getByRole('button', { name: label })
    .or(toast(page, about).getByText(label, { exact: true }))
    .first()
    .click();
}

/** Waits until no question is left. */
export const noQuestion = (page: Page): Promise<void> => toast(page).waitFor({ state: 'hidden' });

/** Clicks a button in the title bar of the diff. */
export const answerAboveDiff = (page: Page, title: 'Allow Once' | 'Deny'): Promise<void> =>
  page.locator('.editor-actions').getByRole('button', { name: title }).click();

/** Denies, and says why. */
export async function deny(page: Page, reason: string): Promise<void> {
  await answer(page, 'Deny…');
  const input = page.locator('.quick-input-widget:visible input.input');
  await input.fill(reason);
  await input.press('Enter');
}

/** The answers that can be read without unfolding the message. */
export async function answersInSight(page: Page): Promise<string[]> {
  const box = await toast(page).boundingBox();
  const bottom = box ? box.y + box.height : 0;
  const links = await toast(page).locator('.notification-list-item-message a').all();
  const labels = await Promise.all(
    links.map(async (link) => {
      const at = await link.boundingBox();
      const isInSight = at !== null && at.width > 0 && at.y + at.height <= bottom;
      return isInSight ? ((await link.textContent()) ?? '') : '';
    }),
  );
  return labels.filter(Boolean);
}

const toast = (page: Page, about = 'asks:'): Locator =>
  page.locator('.notification-toast').filter({ hasText: 'asks:' }).filter({ hasText: about }).first();
