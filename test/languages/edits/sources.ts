/** Real sources of each language, which packages ship: of npm, of Debian, or of the language itself. */
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, run as step } from '../../host/headless/step.ts';
import { cacheDirectory } from '../../host/paths.ts';
import { run } from './judges.ts';

/** Files larger than this take too long to parse hundreds of times. */
const LARGEST_FILE = 120_000;

/** As many files of a folder as wanted, spread over it. */
export function filesIn(root: string, wanted: RegExp, unwanted: RegExp, count: number): string[] {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => wanted.test(path) && !unwanted.test(path))
    .map((path) => join(root, path))
    .filter((path) => isSource(path))
    .sort();
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

function isSource(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > 0 && stat.size < LARGEST_FILE;
}

/** The files of a Debian package, which is downloaded and not installed. */
export async function debianSources(name: string): Promise<string> {
  const folder = join(cacheDirectory, `debian-${name}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.part`;
  await runStep(`Downloading ${name} from Debian`, console.error, async () => {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    await step('apt-get', ['--quiet', 'download', name], { cwd: draft });
    const [archive = ''] = readdirSync(draft).filter((one) => one.endsWith('.deb'));
    await step('dpkg-deb', ['--extract', join(draft, archive), draft], {});
    renameSync(draft, folder);
  });
  return folder;
}

export const pythonLibrary = (): string =>
  run('python3', ['-c', "import sysconfig; print(sysconfig.get_path('stdlib'))"]).trim();

export const goLibrary = (): string => realpathSync(join(run('go', ['env', 'GOROOT']).trim(), 'src'));
