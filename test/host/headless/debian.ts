/** Debian's Chromium, installed only if there is no browser. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs.ts';
import { type Report, run, runStep } from './step.ts';

/** The browser that shows the workbench: the one that `CHROMIUM` names, else the one on PATH. */
const findChromium = (): string | undefined =>
  process.env.CHROMIUM ?? findProgram('chromium') ?? findProgram('google-chrome');

/** Returns the path of the browser. */
export async function ensureChromium(report: Report): Promise<string> {
  if (!findChromium()) await installChromium(report);
  const chromium = findChromium();
  if (!chromium) throw new Error('Debian installed chromium, but it is not on PATH.');
  return chromium;
}

async function installChromium(report: Report): Promise<void> {
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) {
    throw new Error(
      'The headless VS Code needs chromium. Install it and try again; ' +
        'on Debian: sudo apt-get update && sudo apt-get install chromium',
    );
  }
  await runStep('Installing Chromium from Debian', report, async () => {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', 'chromium');
  });
}

/** Under a lock that dies with its holder: `apt-get update` fails if another one is running. */
function aptGet(...args: string[]): Promise<void> {
  const lock = join(tmpdir(), 'workspace-mcp-apt.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return run('flock', [lock, 'apt-get', '--quiet', ...args], { env });
}
