/** Debian's programs, installed only if they are missing. */
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../paths.ts';
import { findProgram } from '../programs.ts';
import { type Report, run, runStep } from './step.ts';

/** Chromium without the parts of a browser that nobody sees: a fifth less to compute. */
const LIGHT = 'chromium-headless-shell';

/** Returns the path of the browser that shows the workbench: the one that `CHROMIUM` names, else the one on PATH. */
export const ensureChromium = async (report: Report): Promise<string> =>
  process.env.CHROMIUM ?? ensureFromDebian([LIGHT, 'chromium', 'google-chrome'], LIGHT, report);

/** Returns the path of the first of these programs that is on PATH. @param name of the package that has one of them */
export async function ensureFromDebian(
  programs: readonly string[],
  name: string,
  report: Report,
): Promise<string> {
  const find = () => programs.map((program) => findProgram(program)).find((path) => path !== undefined);
  if (!find()) await install(name, report);
  const found = find();
  if (!found) throw new Error(`Debian installed ${name}, but ${programs.join(', ')} is not on PATH.`);
  return found;
}

/** Returns the folder with what a package of Debian would install, which is not installed. */
export async function unpackFromDebian(name: string, report: Report = console.error): Promise<string> {
  const folder = join(cacheDirectory, `debian-${name}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await runStep(`Unpacking ${name} from Debian`, report, async () => {
    await aptGet('update');
    await run('apt-get', ['--quiet', 'download', name], { cwd: draft });
    const [file = ''] = globSync('*.deb', { cwd: draft });
    await run('dpkg-deb', ['--extract', file, '.'], { cwd: draft });
  });
  renameSync(draft, folder);
  return folder;
}

export const canInstall = (): boolean => process.getuid?.() === 0 && findProgram('apt-get') !== undefined;

/** @throws Error if this user cannot */
export async function install(name: string, report: Report): Promise<void> {
  if (!canInstall())
    throw new Error(
      `These tests need ${name}. Install it and try again; ` +
        `on Debian: sudo apt-get update && sudo apt-get install ${name}`,
    );
  await runStep(`Installing ${name} from Debian`, report, async () => {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', name);
  });
}

/** Under a lock that dies with its holder: `apt-get update` fails if another one is running. */
function aptGet(...args: string[]): Promise<void> {
  const lock = join(tmpdir(), 'workspace-mcp-apt.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return run('flock', [lock, 'apt-get', '--quiet', ...args], { env });
}
