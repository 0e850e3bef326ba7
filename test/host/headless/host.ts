/**
 * A real VS Code, headless: the server with its extension hosts, and a browser with one page a window.
 *
 *   const host = await startHost({ target: '/some/folder', extensionDevelopmentPath: projectRoot });
 *   await runCommand(host.page, 'Workspace MCP: Stop Server');
 *   await host.close();
 */
import { join } from 'node:path';
import { format } from 'node:util';
import type { Page } from 'playwright-core';
import { own } from '../cleanup.ts';
import { PATIENCE } from '../patience.ts';
import { makeScratch } from '../scratch.ts';
import { startBrowser } from './browser.ts';
import { ensureHeadlessHost } from './install.ts';
import {
  extensionHostsEnded,
  installExtension,
  type Server,
  type ServerOptions,
  startServer,
} from './server.ts';
import { type WindowContents, windowUrl } from './windowUrl.ts';

export interface HostOptions {
  /** Folder or `.code-workspace` file of the first window; an empty window without one. */
  target?: string;
  extensionDevelopmentPath?: string | string[];
  /** Module whose `run()` the extension host of the first window calls; see `testsEnded`. */
  extensionTestsPath?: string;
  /** These three default to directories that `close()` removes. */
  userDataDir?: string;
  extensionsDir?: string;
  serverDataDir?: string;
  /** Packaged extension to install before the first window opens. */
  installExtension?: string;
  /** Off: every folder is trusted. On: new folders are untrusted until the person says otherwise. */
  workspaceTrust?: boolean;
  /** Variables of the server and of its extension hosts, over our own. */
  env?: NodeJS.ProcessEnv;
  /** Settings of the machine, which extension hosts see besides the workspace's. */
  machineSettings?: object;
  /** Script that runs in every window before the workbench. */
  initScript?: string;
  /** Takes the console of the first window during a test run, the test runner's output among it. */
  onConsole?(line: string): void;
  /** Takes the steps of the one-time installation. */
  report?(line: string): void;
}

export interface Host {
  /** The first window. */
  page: Page;
  baseUrl: string;
  /** Opens one more window, on a folder or `.code-workspace` file. */
  openWindow(target: string): Promise<Page>;
  /** Process group of the server and its extension hosts. */
  pid: number;
  /** Resolves with the exit code of the tests, or with 1 should the server end before. */
  testsEnded: Promise<number>;
  /** Ends windows, extension hosts, browser and server, and removes the temporary directories. */
  close(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  const installed = await ensureHeadlessHost(options.report ?? (() => {}));
  const scratch = makeScratch();
  const serverOptions: ServerOptions = {
    serverDataDir: options.serverDataDir ?? join(scratch.path, 'server'),
    userDataDir: options.userDataDir ?? join(scratch.path, 'user'),
    extensionsDir: options.extensionsDir ?? join(scratch.path, 'extensions'),
    temporaryDir: join(scratch.path, 'tmp'),
    workspaceTrust: options.workspaceTrust ?? false,
    development: options.extensionDevelopmentPath !== undefined,
    env: options.env ?? {},
    machineSettings: { ...quietSettings, ...options.machineSettings },
  };
  if (options.installExtension) await installExtension(installed, options.installExtension, serverOptions);
  const server = await startServer(installed, serverOptions);
  const browser = await startBrowser(installed.chromium, join(scratch.path, 'browser'));
  if (options.initScript) await browser.context.addInitScript(options.initScript);

  const close = async () => {
    disown();
    // This tells the extension hosts to end, so that extensions can deactivate; closing the browser would not.
    await browser.leavePages();
    await extensionHostsEnded(server.group.pid);
    await browser.close();
    await server.group.stop();
    scratch.remove();
  };
  const disown = own({ close, kill: () => {} });

  const baseUrl = `http://127.0.0.1:${server.port}`;
  const { target, extensionDevelopmentPath, extensionTestsPath } = options;
  const open = async (page: Page, what: WindowContents) => {
    await page.goto(windowUrl(server, what));
    await page.locator('.monaco-workbench').waitFor({ timeout: PATIENCE });
    return page;
  };
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  const { ended: testsEnded } = await listenToTests(page, server, options);
  try {
    await open(page, { target, extensionDevelopmentPath, extensionTestsPath });
  } catch (error) {
    await close();
    throw error;
  }
  const openWindow = async (target: string) =>
    open(await browser.context.newPage(), { target, extensionDevelopmentPath });
  return { page, baseUrl, openWindow, pid: server.group.pid, testsEnded, close };
}

/** For `machineSettings`: a window with nothing in it but what a test opens. */
export const EMPTY_WINDOW = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Nothing of this is about the extension: it keeps a test's VS Code from looking things up in the network. */
const quietSettings = {
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

interface TestRun {
  ended: Promise<number>;
}

/** The workbench calls these two in a test run: one for each line of its console, one at the end of the tests. */
async function listenToTests(page: Page, server: Server, options: HostOptions): Promise<TestRun> {
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  void server.group.exited.then(() => end(1));
  page.once('close', () => end(1)); // also when the browser dies
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    options.onConsole?.(format(...args));
  });
  await page.exposeFunction('codeAutomationExit', (exitCode: number) => end(exitCode));
  return { ended };
}
