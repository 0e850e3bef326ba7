/**
 * A real VS Code, headless: the server with its extension hosts, and a browser with one page a window. Where a parent has started
 * both, its windows are used, with a profile of their own.
 *
 *   const host = await startHost({ target: '/some/folder', extensionDevelopmentPath: projectRoot });
 *   await runCommand(host.page, 'Workspace MCP: Stop Server');
 *   await host.close();
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { own } from '../cleanup.ts';
import { PATIENCE } from '../patience.ts';
import { makeScratch } from '../scratch.ts';
import { startBrowser } from './browser.ts';
import { ensureHeadlessHost, type HeadlessHost } from './install.ts';
import { sharedMachine } from './machine.ts';
import { watch } from './scene.ts';
import { endExtensionHosts, installExtension, type ServerOptions, startServer } from './server.ts';
import { type WindowContents, windowUrl } from './windowUrl.ts';

export interface HostOptions {
  /** Folder or `.code-workspace` file of the first window; an empty window without one. */
  target?: string;
  extensionDevelopmentPath?: string;
  /** Module whose `run()` the extension host of the first window calls; see `testsEnded`. */
  extensionTestsPath?: string;
  /** These default to directories that `close()` removes. With extensions in the second one the window has a server of its own. */
  userDataDir?: string;
  extensionsDir?: string;
  /** Packaged extension to install before the first window opens, in a server of its own. */
  installExtension?: string;
  /** Off: every folder is trusted. On: new folders are untrusted until the person says otherwise. */
  workspaceTrust?: boolean;
  /** Variables of the extension hosts, over our own. */
  env?: NodeJS.ProcessEnv;
  /** Settings of the user. */
  settings?: object;
  /** Settings of the machine, which has a server of its own then. */
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
  /** Opens one more window, on a folder or `.code-workspace` file. */
  openWindow(target: string): Promise<Page>;
  /** Resolves with the exit code of the tests, or with 1 should the server end before. */
  testsEnded: Promise<number>;
  /** Ends windows and extension hosts, browser and server unless they are shared, and removes the temporary directories. */
  close(): Promise<void>;
}

interface OwnServer {
  port: number;
  token: string;
  exited?: Promise<unknown>;
  stop?(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  const installed = await ensureHeadlessHost(options.report ?? (() => {}));
  const scratch = makeScratch();
  const userDataDir = options.userDataDir ?? join(scratch.path, 'user');
  writeSettings(userDataDir, options.settings ?? {});
  const environment = environmentOf(options, scratch.path);
  const { extensionsDir = '' } = options;
  const needsOwn = options.installExtension ?? options.machineSettings ?? existsSync(extensionsDir);
  const machine = sharedMachine();
  const server: OwnServer =
    machine && !needsOwn
      ? machine.server
      : await startOwnServer(installed, { ...options, userDataDir, env: environment }, scratch.path);
  const browser = await startBrowser(installed.chromium, join(scratch.path, 'browser'), machine?.browser);
  await configure(browser.context, userDataDir, options);

  const close = async () => {
    disown();
    // This tells the extension hosts to end, so that extensions can deactivate; closing the browser would not.
    await browser.leavePages();
    await endExtensionHosts(scratch.path);
    await browser.close();
    await server.stop?.();
    scratch.remove();
  };
  const disown = own({ close, kill: () => {} });

  const { target, extensionDevelopmentPath, extensionTestsPath } = options;
  const contents = { extensionDevelopmentPath, environment: nullable(environment) };
  const open = async (page: Page, what: WindowContents) => {
    watch(page);
    await page.goto(windowUrl(server, what));
    await page.locator('.monaco-workbench').waitFor({ timeout: PATIENCE });
    return page;
  };
  const page = await browser.context.newPage();
  if (extensionTestsPath) await page.setViewportSize(UNSEEN);
  const { ended: testsEnded } = await listenToTests(page, server, options);
  try {
    await open(page, { target, extensionTestsPath, ...contents });
  } catch (error) {
    await close();
    throw error;
  }
  const openWindow = async (target: string) => open(await browser.context.newPage(), { target, ...contents });
  return { page, openWindow, testsEnded, close };
}

/** For `settings`: a window with nothing in it but what a test opens, where nothing is saved by itself, as on a desktop. */
export const EMPTY_WINDOW = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'typescript.tsserver.useSyntaxServer': 'never', // one process less
};

/** The size of a window that only its extension host looks at: less to draw. */
const UNSEEN = { width: 800, height: 600 };

/** Nothing of this is about the extension: a test's VS Code looks nothing up in the network, and has less to draw. */
const quietSettings = {
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
};

/** Beside what the user's settings have. */
function writeSettings(userDataDir: string, settings: object): void {
  const file = join(userDataDir, 'User/settings.json');
  mkdirSync(join(userDataDir, 'User'), { recursive: true });
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  writeFileSync(file, JSON.stringify({ ...before, ...quietSettings, ...settings }, null, 2));
}

/** Variables that our parent has set for us, and not for the server that it has started. */
const OURS = /^(WORKSPACE_MCP_HOME|XDG_RUNTIME_DIR|HOST_TEST_(?!MACHINE))/;

/** @param scratch by which the extension hosts are found again */
function environmentOf({ env = {} }: HostOptions, scratch: string): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => OURS.test(name));
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary);
  return { ...Object.fromEntries(ours), TMPDIR: temporary, ...env };
}

const nullable = (env: NodeJS.ProcessEnv): Record<string, string | null> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? null]));

async function startOwnServer(
  installed: HeadlessHost,
  options: HostOptions & { userDataDir: string; env: NodeJS.ProcessEnv },
  scratch: string,
): Promise<OwnServer> {
  const serverOptions: ServerOptions = {
    serverDataDir: join(scratch, 'server'),
    userDataDir: options.userDataDir,
    extensionsDir: options.extensionsDir ?? join(scratch, 'extensions'),
    temporaryDir: join(scratch, 'tmp'),
    development: options.extensionDevelopmentPath !== undefined,
    env: options.env,
    machineSettings: options.machineSettings ?? {},
  };
  if (options.installExtension) await installExtension(installed, options.installExtension, serverOptions);
  const { group, port, token } = await startServer(installed, serverOptions);
  return { port, token, exited: group.exited, stop: group.stop };
}

/** The server's page says where the user's data lies, and whether folders are trusted: we say it instead. */
async function configure(context: BrowserContext, userDataDir: string, options: HostOptions): Promise<void> {
  const changes = { userDataPath: userDataDir, enableWorkspaceTrust: options.workspaceTrust ?? false };
  await context.addInitScript(`{
    const { getAttribute } = Element.prototype;
    Element.prototype.getAttribute = function (name) {
      const value = getAttribute.call(this, name);
      if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings') return value;
      return JSON.stringify({ ...JSON.parse(value), ...${JSON.stringify(changes)} });
    };
  }`);
  if (options.initScript) await context.addInitScript(options.initScript);
}

interface TestRun {
  ended: Promise<number>;
}

/** The workbench calls these two in a test run: one for each line of its console, one at the end of the tests. */
async function listenToTests(page: Page, server: OwnServer, options: HostOptions): Promise<TestRun> {
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  void server.exited?.then(() => end(1));
  page.once('close', () => end(1)); // also when the browser dies
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    options.onConsole?.(format(...args));
  });
  await page.exposeFunction('codeAutomationExit', (exitCode: number) => end(exitCode));
  return { ended };
}
