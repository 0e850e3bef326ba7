/** A window to take pictures of: the packaged extension in a real VS Code on a copy of the sample project, and an agent. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { HOME_VARIABLE } from '../../src/ipc/windowRecord.ts';
import { connectAgent, type HostAgent, windowRecord } from '../../test/host/agent.ts';
import { startHost } from '../../test/host/headless/host.ts';
import { projectRoot } from '../../test/host/paths.ts';
import { makeScratch } from '../../test/host/scratch.ts';

export interface PictureWindow {
  page: Page;
  agent: HostAgent;
  /** A home directory of its own, whose name no picture should show. */
  home: string;
  /** The workspace folder. */
  folder: string;
}

export async function openWindow(report: (line: string) => void): Promise<PictureWindow> {
  const { path } = makeScratch();
  const home = join(path, 'home');
  const state = join(home, '.workspace-mcp');
  const run = join(path, 'run');
  for (const directory of [home, state, run]) mkdirSync(directory, { mode: 0o700 });
  const folder = join(home, 'invoices');
  cpSync(join(projectRoot, 'test/host/main/workspace'), folder, { recursive: true });
  // VS Code finds its state in that home, as a user's does; this process, and the agent that it starts, have to be told.
  Object.assign(process.env, { [HOME_VARIABLE]: state, XDG_RUNTIME_DIR: run });
  const { page } = await startHost({
    target: folder,
    installExtension: join(projectRoot, 'dist/workspace-mcp.vsix'),
    userDataDir: tidyProfile(join(path, 'user')),
    env: { HOME: home, [HOME_VARIABLE]: undefined },
    report,
  });
  await windowRecord();
  const agent = await connectAgent(folder, { name: 'Example Agent', shim: join(state, 'shim.js') });
  return { page, agent, home, folder };
}

/** The settings of a person who has nothing in the window that is not about the extension. */
function tidyProfile(directory: string): string {
  const settings = {
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.layoutControl.enabled': false,
    'chat.disableAIFeatures': true,
    'workbench.hover.delay': 100_000, // a tooltip lies over what it explains
  };
  mkdirSync(join(directory, 'User'), { recursive: true });
  writeFileSync(join(directory, 'User/settings.json'), JSON.stringify(settings));
  return directory;
}
