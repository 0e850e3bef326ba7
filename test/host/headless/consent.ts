/** How the person answers what an agent asks: by the buttons of the question, or by those above the diff. */
import type { FrameLocator, Locator, Page } from 'playwright-core';

export type Answer =
  | 'Allow Once'
  | 'Allow for Session'
  | 'Deny'
  | 'Deny with Reason…'
  | 'Deny for Session'
  | 'Always Allow…'
  | 'Open Diff';

/**
 * Waits for the question; returns its text.
 *
 * @param about a part of the text, where another question may still be leaving
 */
export async function question(page: Page, about = ''): Promise<string> {
  return (await aboutOf(page, about).textContent()) ?? '';
}

/** Clicks a button of the question, once it takes answers. One that answers it is waited for: the next question comes into its place. */
export async function answer(page: Page, label: Answer, about = ''): Promise<void> {
  const shown = await aboutOf(page, about).elementHandle();
  if (label !== 'Allow Once' && label !== 'Deny') await questionFrame(page).locator('#choices').click();
  await button(page, label).click();
  if (!ASKS_MORE.includes(label)) await shown?.waitForElementState('hidden').catch(() => {}); // its frame may go first
}

const ASKS_MORE: readonly Answer[] = ['Always Allow…', 'Deny with Reason…', 'Open Diff'];

/** Waits until the question has been in sight for long enough. */
export const takesAnswers = (page: Page): Promise<void> => questionFrame(page).locator('body.open').waitFor();

export const button = (page: Page, label: Answer): Locator =>
  questionFrame(page).locator('button').getByText(label, { exact: true });

/** Waits until no question is left. */
export const noQuestion = async (page: Page): Promise<void> => {
  const tab = page.locator('.tab').filter({ hasText: 'asks:' });
  await tab.first().waitFor({ state: 'detached' });
};

/** Clicks a button in the title bar of the diff. */
export const answerAboveDiff = (page: Page, title: 'Allow Once' | 'Deny'): Promise<void> =>
  page.locator('.editor-actions').getByRole('button', { name: title }).click();

/** Denies, and says why. */
export async function deny(page: Page, reason: string): Promise<void> {
  await answer(page, 'Deny with Reason…');
  const input = page.locator('.quick-input-widget:visible input.input');
  await input.fill(reason);
  await input.press('Enter');
}

/** The page of the question. */
export const questionFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview').frameLocator('#active-frame');

const aboutOf = (page: Page, about: string): Locator =>
  questionFrame(page).locator('.about').filter({ hasText: about }).first();
