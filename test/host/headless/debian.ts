/** The programs of Debian that the headless host needs, installed only where they are missing. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs.ts';
import { type Report, runStep } from './step.ts';

/** What code-server's native modules are compiled with; by package, how to see that it is there. */
const buildTools: Record<string, () => boolean> = {
  'libkrb5-dev': () => existsSync('/usr/include/gssapi/gssapi.h'),
  python3: () => findProgram('python3') !== undefined,
  make: () => findProgram('make') !== undefined,
  'g++': () => findProgram('g++') !== undefined,
};

export const missingBuildTools = (): string[] =>
  Object.keys(buildTools).filter((name) => !buildTools[name]?.());

/** The browser that shows the workbench: the one that `CHROMIUM` names, else the one on PATH. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM ?? findProgram('chromium') ?? findProgram('google-chrome');

export async function installPackages(names: string[], report: Report): Promise<void> {
  if (names.length === 0) return;
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) {
    throw new Error(
      `The headless VS Code needs ${names.join(', ')}. Install what is missing and try again; ` +
        `on Debian: sudo apt-get update && sudo apt-get install ${names.join(' ')}`,
    );
  }
  await aptGet('updating the list of Debian packages', ['update'], report);
  const install = ['install', '--yes', '--no-install-recommends', ...names];
  await aptGet(`installing from Debian: ${names.join(' ')}`, install, report);
}

/** Under a lock that dies with its holder: `apt-get update` fails where another one runs. */
function aptGet(title: string, args: string[], report: Report): Promise<void> {
  const lock = join(tmpdir(), 'workspace-mcp-apt.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return runStep(title, 'flock', [lock, 'apt-get', '--quiet', ...args], { env }, report);
}
