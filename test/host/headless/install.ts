/**
 * A real VS Code where no desktop build can be had: the VS Code server that the npm package `code-server` carries,
 * and Debian's Chromium to open its workbench. Needs npm's registry and Debian's packages, nothing else.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackage } from '../../packages.ts';
import { projectNode } from '../paths.ts';
import { ensureChromium } from './debian.ts';
import { npm } from './npm.ts';
import type { Report } from './step.ts';

const VERSION = '4.139.1';
/** Names the folder of a code-server that is installed already, of an older version for instance. */
export const FOLDER_VARIABLE = 'CODE_SERVER_FOLDER';

export interface HeadlessHost {
  /** Entry of the VS Code server, to be run with `node`. */
  serverMain: string;
  chromium: string;
  node: string;
}

/** Installs what is missing; does nothing, and quickly, where all is there. */
export async function ensureHeadlessHost(report: Report): Promise<HeadlessHost> {
  if (process.platform !== 'linux')
    throw new Error(
      'The headless VS Code is for Linux. Here, use a desktop one: put `code` on PATH, or name it by VSCODE_EXECUTABLE.',
    );
  const [chromium, codeServer] = await Promise.all([
    ensureChromium(report),
    process.env[FOLDER_VARIABLE] ?? ensurePackage('code-server', VERSION, report, installServer),
  ]);
  return {
    serverMain: join(codeServer, 'lib/vscode/out/server-main.js'),
    chromium,
    node: process.env.CODE_SERVER_NODE ?? projectNode(),
  };
}

/**
 * Runs the package's own script, but compiles nothing. Terminals, file watching and search come with binaries;
 * `standIns` replaces what the server and the extension hosts load besides.
 */
async function installServer(codeServer: string): Promise<void> {
  const unused = ['@github/copilot-sdk', '@microsoft/mxc-sdk']; // a third of all there is to download
  await npm(join(codeServer, 'lib/vscode'), 'pkg', 'delete', ...unused.map((name) => `dependencies.${name}`));
  await npm(codeServer, 'run', 'postinstall');
  const modules = join(codeServer, 'lib/vscode/node_modules');
  cpSync(join(import.meta.dirname, 'standIns'), modules, { recursive: true });
}
