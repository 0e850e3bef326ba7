/**
 * A real VS Code where no desktop build can be had: the VS Code server that the npm package `code-server` carries,
 * and Debian's Chromium to open its workbench. Needs npm's registry and Debian's packages, nothing else.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackage } from '../../packages.ts';
import { projectNode } from '../paths.ts';
import { ensureChromium } from './debian.ts';
import { npm } from './npm.ts';
import type { Report } from './step.ts';

const VERSION = '4.139.1';

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
  const [chromium, codeServer] = await Promise.all([
    ensureChromium(report),
    ensurePackage('code-server', VERSION, report, installServer),
  ]);
  return { serverMain: join(codeServer, 'lib/vscode/out/server-main.js'), chromium, node: projectNode() };
}

/**
 * By the package's own script, but nothing is compiled: the parts that the server needs (terminals, file watching,
 * search) come with binaries, except for the log.
 */
async function installServer(codeServer: string): Promise<void> {
  await npm(codeServer, 'run', 'postinstall');
  const log = 'lib/vscode/node_modules/@vscode/spdlog/index.js';
  copyFileSync(join(import.meta.dirname, 'spdlog.cjs'), join(codeServer, log));
}
