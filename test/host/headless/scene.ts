/** What a window shows at a moment: what a step that waited in vain found instead. */
import type { Page } from 'playwright-core';
import { labels, screenshot } from './palette.ts';

const PARTS: [what: string, selector: string][] = [
  ['tabs', '.tab'],
  ['dialog', '.monaco-dialog-box'],
  ['messages', '.notification-list-item-message'],
  ['status bar', '.statusbar-item.right'],
  ['side bar', '.part.sidebar .pane-body .monaco-list-row'],
];

/** The pages of this process that can be described. */
const pages = new Set<Page>();

export function watch(page: Page): void {
  pages.add(page);
  page.once('close', () => pages.delete(page));
}

/** Of all windows; a picture of each is saved. */
export async function describeWindows(name: string): Promise<string> {
  const all = await Promise.all(
    [...pages].map((page, index) => describe(page, `failed-${name}-${index + 1}`)),
  );
  return all.join('\n');
}

async function describe(page: Page, name: string): Promise<string> {
  try {
    const lists = PARTS.map(async ([what, selector]) => {
      const texts = await page.locator(selector).allTextContents();
      return `  ${what}: ${texts.map((text) => text.trim().slice(0, 200)).join(' | ') || 'none'}`;
    });
    const listed = labels(page.locator('.quick-input-widget:visible .monaco-list-row'));
    const lines = [...(await Promise.all(lists)), `  list: ${(await listed).join(' | ') || 'none'}`];
    const picture = await screenshot(page, name.replaceAll(/[^\w-]+/g, '-').slice(0, 80));
    return [`The window “${await page.title()}” (${picture}) shows`, ...lines].join('\n');
  } catch (error) {
    return `A window cannot be looked at: ${(error as Error).message.split('\n', 1)[0]}`;
  }
}
