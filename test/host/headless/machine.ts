/**
 * One VS Code server and one browser for many windows, each with a profile and extension hosts of its own. Who starts them tells
 * its children by a variable.
 */
import { join } from 'node:path';
import { makeScratch } from '../scratch.ts';
import { shareBrowser } from './browser.ts';
import { ensureHeadlessHost } from './install.ts';
import { startServer } from './server.ts';

export interface Machine {
  /** Endpoint of the browser. */
  browser: string;
  server: { port: number; token: string };
}

const MACHINE_VARIABLE = 'HOST_TEST_MACHINE';

/** What a parent has started. */
export const sharedMachine = (): Machine | undefined => {
  const text = process.env[MACHINE_VARIABLE];
  return text ? JSON.parse(text) : undefined;
};

/** Starts both, for this process and its children; the result ends them. */
export async function shareMachine(): Promise<() => Promise<void>> {
  const installed = await ensureHeadlessHost(console.log);
  const scratch = makeScratch();
  const [browser, { group, port, token }] = await Promise.all([
    shareBrowser(installed.chromium, join(scratch.path, 'browser')),
    startServer(installed, {
      serverDataDir: join(scratch.path, 'server'),
      userDataDir: join(scratch.path, 'user'),
      extensionsDir: join(scratch.path, 'extensions'),
      temporaryDir: join(scratch.path, 'tmp'),
      development: true,
      env: {},
      machineSettings: {},
    }),
  ]);
  const machine: Machine = { browser: browser.endpoint, server: { port, token } };
  process.env[MACHINE_VARIABLE] = JSON.stringify(machine);
  return async () => {
    await browser.close();
    await group.stop();
    scratch.remove();
  };
}
