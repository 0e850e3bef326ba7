/** Headless Chromium with a home of its own, so that it leaves nothing in the user's. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { own } from '../cleanup.ts';
import { ENDING, PATIENCE } from '../patience.ts';

export interface Browser {
  context: BrowserContext;
  /** Leaves every page, as a person does who goes somewhere else. */
  leavePages(): Promise<void>;
  close(): Promise<void>;
}

export async function startBrowser(executablePath: string, home: string): Promise<Browser> {
  mkdirSync(home, { recursive: true });
  const context = await chromium.launchPersistentContext(join(home, 'profile'), {
    executablePath,
    timeout: PATIENCE,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce', // what spins and blinks takes half a processor where there is no graphics card
    permissions: ['clipboard-read', 'clipboard-write'],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
    // this module's owner hears of the signals; the browser must not go first
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-breakpad'],
    ],
  });
  context.setDefaultTimeout(PATIENCE); // for whatever names no other, as most tests
  // The only question asked this way is whether to leave the page although something is not saved. Tests say yes, for
  // a reload; at the end we rather wait until VS Code has its backups, because only then it ends its extension host.
  let canWait = false;
  context.on('dialog', (dialog) => void (canWait ? dialog.dismiss() : dialog.accept()).catch(() => {}));
  const crashed = new Set<Page>();
  context.on('page', (page) => void page.once('crash', () => crashed.add(page)));
  const leavePages = async () => {
    canWait = true;
    await Promise.all(context.pages().map((page) => !crashed.has(page) && leave(page)));
    canWait = false;
  };
  const close = async () => {
    disown();
    await context.close();
  };
  // Playwright kills its browsers when the process exits: nothing to do there.
  const disown = own({ close, kill: () => {} });
  return { context, leavePages, close };
}

/** The backups take VS Code one or two seconds. */
async function leave(page: Page): Promise<void> {
  const deadline = Date.now() + ENDING;
  while (page.url() !== 'about:blank') {
    await page.goto('about:blank', { timeout: ENDING }).catch(() => {});
    if (Date.now() > deadline || page.isClosed()) return;
    await delay(500);
  }
}
