/** Headless Chromium with a home of its own, so that it leaves nothing in the user's. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { own } from '../cleanup.ts';

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

export async function startBrowser(executablePath: string, home: string): Promise<Browser> {
  mkdirSync(home, { recursive: true });
  const context = await chromium.launchPersistentContext(join(home, 'profile'), {
    executablePath,
    viewport: { width: 1440, height: 900 },
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
  // Only "leave this page although files are unsaved?" is ever asked this way.
  context.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  const close = async () => {
    disown();
    await context.close();
  };
  // Playwright kills its browsers when the process exits: nothing to do there.
  const disown = own({ close, kill: () => {} });
  return { context, close };
}
