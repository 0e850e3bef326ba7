/** Headless Chromium with a home of its own, so that it leaves nothing in the user's. */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { own } from '../cleanup.ts';
import { ENDING, PATIENCE } from '../patience.ts';

export interface Browser {
  /** A profile of its own: storage, cookies, cache. */
  context: BrowserContext;
  /** Leaves every page, as a person does who goes somewhere else. */
  leavePages(): Promise<void>;
  close(): Promise<void>;
}

/** A browser that other processes use, each with profiles of its own. */
export interface SharedBrowser {
  endpoint: string;
  close(): Promise<void>;
}

export async function shareBrowser(executablePath: string, home: string): Promise<SharedBrowser> {
  const server = await chromium.launchServer(launchOptions(executablePath, home));
  const close = () => server.close();
  own({ close, kill: () => server.process().kill('SIGKILL') });
  return { endpoint: server.wsEndpoint(), close };
}

/** @param endpoint of a shared browser; starts one where there is none */
export async function startBrowser(
  executablePath: string,
  home: string,
  endpoint?: string,
): Promise<Browser> {
  const browser = endpoint
    ? await chromium.connect(endpoint, { timeout: PATIENCE })
    : await chromium.launch(launchOptions(executablePath, home));
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(STYLES);
  await context.addInitScript(BUFFERS_FOR_BLOBS);
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
    await browser.close();
  };
  // Playwright kills its browsers when the process exits: nothing to do there.
  const disown = own({ close, kill: () => {} });
  return { context, leavePages, close };
}

function launchOptions(executablePath: string, home: string): LaunchOptions {
  mkdirSync(home, { recursive: true });
  return {
    executablePath,
    timeout: PATIENCE,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
    // this module's owner hears of the signals; the browser must not go first
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-breakpad'],
    ],
  };
}

/**
 * Each animation and each transition is over at once. VS Code's spinners and progress bars ignore `prefers-reduced-motion`, and
 * draw the whole window 60 times a second: half a processor where there is no graphics card. And a tooltip takes no click: one
 * that comes while the mouse leaves stays until the mouse moves again, over the first row of a list. A sheet of a script, because
 * no content security policy forbids that.
 */
const STYLES = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    *, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important; }
    .context-view:has(.workbench-hover-container) { &, & * { pointer-events: none !important; } }
  \`);
  document.adoptedStyleSheets.push(sheet);
`;

/**
 * The server's messages come as buffers. VS Code takes them as blobs, which the browser's processes pass around, and reads those:
 * a seventh of all that a window computes.
 */
const BUFFERS_FOR_BLOBS = `{
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.binaryType = 'arraybuffer';
    }
  };
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof Blob) readAsArrayBuffer.call(this, data);
    else queueMicrotask(() => this.onload({ target: { result: data } }));
  };
}`;

/** The backups take VS Code one or two seconds. */
async function leave(page: Page): Promise<void> {
  const deadline = Date.now() + ENDING;
  while (page.url() !== 'about:blank') {
    await page.goto('about:blank', { timeout: ENDING }).catch(() => {});
    if (Date.now() > deadline || page.isClosed()) return;
    await delay(200);
  }
}
