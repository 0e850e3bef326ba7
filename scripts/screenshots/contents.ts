/** What has to be in a picture: each waits for it, and throws where it does not come. */
import type { Locator, Page } from 'playwright-core';

/** Milliseconds. */
const TIMEOUT = 20_000;

/** Something that nothing else lies over, such as a message. */
export const inSight = (what: Locator): Promise<void> =>
  what.last().click({ trial: true, position: { x: 20, y: 5 }, timeout: TIMEOUT });

/** A row of the list that is open, with a title if one is named: the one before may just be closing. */
export async function rowInList(page: Page, text: string, title?: string): Promise<void> {
  const list = page.locator('.quick-input-widget:visible');
  if (title !== undefined)
    await list.locator('.quick-input-title').getByText(title, { exact: true }).waitFor({ timeout: TIMEOUT });
  await inSight(list.locator('.monaco-list-row').filter({ hasText: text }));
}

/** A row of the view in the side bar. */
export const rowInView = (page: Page, text: string): Promise<void> =>
  inSight(page.locator('.part.sidebar .pane-body .monaco-list-row').filter({ hasText: text }));

/** Resolves when the status bar has shown no activity for a second. */
export async function atRest(page: Page): Promise<void> {
  const deadline = Date.now() + 60_000;
  const busy = page
    .locator('.statusbar-item:visible')
    .filter({ has: page.locator('.codicon-modifier-spin') })
    .or(
      page
        .locator('.statusbar-item:visible')
        .filter({ hasText: /Analyzing|Initializing|Activating|Loading/ }),
    );
  for (let quiet = 0; quiet < 10; await page.waitForTimeout(100)) {
    quiet = (await busy.count()) === 0 ? quiet + 1 : 0;
    if (Date.now() > deadline)
      throw new Error(`The window does not come to rest: ${await busy.allTextContents()}`);
  }
}
