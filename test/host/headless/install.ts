/**
 * A real VS Code where no desktop build can be had: the VS Code server that the npm package `code-server` carries,
 * and Debian's Chromium to open its workbench. Needs npm's registry and Debian's packages, nothing else.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from '../cleanup.ts';
import { cacheDirectory, projectNode } from '../paths.ts';
import { findChromium, installPackages, missingBuildTools } from './debian.ts';
import { npmInstall } from './npm.ts';
import type { Report } from './step.ts';

const VERSION = '4.139.1';
const NAME = `code-server-${VERSION}`;
const directory = join(cacheDirectory, NAME);

export interface HeadlessHost {
  /** Entry of the VS Code server, to be run with `node`. */
  serverMain: string;
  chromium: string;
  node: string;
}

/** Installs what is missing; does nothing, and quickly, where all is there. */
export async function ensureHeadlessHost(report: Report): Promise<HeadlessHost> {
  if (process.platform !== 'linux') {
    throw new Error(
      'The headless VS Code is for Linux. Here, use a desktop one: put `code` on PATH, or name it by VSCODE_EXECUTABLE.',
    );
  }
  removeDeadInstalls();
  const missing = existsSync(directory) ? [] : missingBuildTools();
  if (!findChromium()) missing.unshift('chromium');
  await installPackages(missing, report);
  if (!existsSync(directory)) await installServer(report);
  const chromium = findChromium();
  if (!chromium) throw new Error('Debian installed chromium, but it is not on PATH.');
  const serverMain = join(directory, 'node_modules/code-server/lib/vscode/out/server-main.js');
  return { serverMain, chromium, node: projectNode() };
}

/** Installs beside and renames when complete, so a directory under the final name is always a whole one. */
async function installServer(report: Report): Promise<void> {
  mkdirSync(cacheDirectory, { recursive: true });
  const draft = join(cacheDirectory, `${NAME}.${process.pid}.part`);
  const erase = () => rmSync(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const disown = own({ close: async () => erase(), kill: erase });
  try {
    mkdirSync(draft);
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest, null, 2));
    await npmInstall(`installing VS Code for tests (${NAME}, about 90 s, once)`, draft, report);
    if (!existsSync(directory)) renameSync(draft, directory); // another run may have been first
  } finally {
    erase();
    disown();
  }
}

const manifest = {
  private: true,
  dependencies: { 'code-server': VERSION },
  // npm 11 runs the install scripts of these only
  allowScripts: { 'code-server': true, argon2: true },
};

/** What an interrupted run has left. Its npm may still be writing: then the next run removes it. */
function removeDeadInstalls(): void {
  if (!existsSync(cacheDirectory)) return;
  for (const name of readdirSync(cacheDirectory)) {
    const pid = /^code-server-.*\.(\d+)\.part$/.exec(name)?.[1];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(cacheDirectory, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {}
  }
}
