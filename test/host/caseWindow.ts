/**
 * The window of a case that is driven from outside, and the agent in it: opened before the tests and closed after them. A case
 * has a process of its own, so that there is one of each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type AgentOptions, connectAgent, type HostAgent, until, windowRecord } from './agent.ts';
import { EMPTY_WINDOW, type Host, type HostOptions, startHost } from './headless/host.ts';
import { rows } from './headless/views.ts';
import { projectRoot } from './paths.ts';
import { WORKSPACE_VARIABLE } from './sandbox.ts';

export const folder: string = process.env[WORKSPACE_VARIABLE] ?? '';
export const onDisk = (path: string): string => readFileSync(join(folder, path), 'utf8');

export let host: Host;
export let page: Page;
export let agent: HostAgent;

interface CaseWindow extends HostOptions {
  /** An agent that is there before the tests. */
  agent?: AgentOptions;
}

export function openWindow({ agent: first, settings, ...options }: CaseWindow = {}): void {
  before(async () => {
    host = await startHost({
      target: folder,
      ...(!options.installExtension && { extensionDevelopmentPath: projectRoot }),
      settings: { ...EMPTY_WINDOW, ...settings },
      ...options,
    });
    page = host.page;
    await windowRecord();
    if (first) await connect(first);
  });

  after(async () => {
    await agent?.client.close();
    await host?.close();
  });
}

/** An agent as most tests have it. */
export const EXAMPLE: AgentOptions = { name: 'Example Agent' };

export async function connect(options = EXAMPLE): Promise<void> {
  agent = await connectAgent(folder, options);
}

/** Without waiting for the end, because the person has to be asked first. */
export function call(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const result = agent.call(name, args);
  result.catch(() => {}); // looked at later
  return result;
}

/** The list or the input at the top of the window. */
export const list = (): Locator => page.locator('.quick-input-widget:visible');
export const input = (): Locator => list().locator('input.input');
export const entry = (text: string | RegExp): Locator =>
  list().locator('.monaco-list-row').filter({ hasText: text }).first();

export const dialog = (): Locator => page.locator('.monaco-dialog-box');

/** A row of the view, as a screen reader tells it. */
export const row = (pattern: RegExp): Promise<string> =>
  until(`the row ${pattern}`, async () => (await rows(page)).find((label) => pattern.test(label)));

export const noRow = (pattern: RegExp): Promise<true> =>
  until(
    `no row ${pattern}`,
    async () => !(await rows(page)).some((label) => pattern.test(label)) || undefined,
  );
