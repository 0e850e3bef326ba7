/** What a window shows at a moment: what a step that waited in vain found instead. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
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

/** Describes all windows; a picture of each is saved. */
export async function describeWindows(name: string): Promise<string> {
  const all = await Promise.all(
    [...pages].map((page, index) => describe(page, `failed-${name}-${index + 1}`)),
  );
  return all.join('\n');
}

async function describe(page: Page, name: string): Promise<string> {
  try {
    const lists = PARTS.map(async ([what, selector]) =>
      told(what, await page.locator(selector).allTextContents()),
    );
    const [picture, title, listed, within, ...lines] = await Promise.all([
      screenshot(page, name.replaceAll(/[^\w-]+/g, '-').slice(0, 80)),
      page.title(),
      labels(page.locator('.quick-input-widget:visible .monaco-list-row')),
      Promise.all(page.frames().slice(1).map(state)),
      ...lists,
    ]);
    const parts = [...lines, told('list', listed), told('pages within', within)];
    return [`The window “${title}” (${picture}) shows`, ...parts].join('\n');
  } catch (error) {
    return `A window cannot be looked at: ${(error as Error).message.split('\n', 1)[0]}`;
  }
}

const told = (what: string, texts: string[]): string =>
  `  ${what}: ${texts.map((text) => text.trim().slice(0, 200)).join(' | ') || 'none'}`;

/** The state of a page within the window, such as a notebook's: its file, its progress, who answers its requests, its text. */
const STATE = `[
  location.pathname.split('/').at(-1),
  document.readyState,
  navigator.serviceWorker?.controller?.state ?? 'no worker',
  document.body?.innerText.trim().replace(/\\s+/g, ' '),
].join(' ')`;

const state = (frame: Frame): Promise<string> =>
  Promise.race([frame.evaluate<string>(STATE), delay(2_000, 'no answer')]).catch(() => 'gone');
