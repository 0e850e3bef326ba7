/** Real sources of each language, which packages ship: of npm, of Debian, or of the language itself. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

export const pythonLibrary = (): string =>
  run('python3', ['-c', "import sysconfig; print(sysconfig.get_path('stdlib'))"]).trim();

export const goLibrary = (): string => realpathSync(join(run('go', ['env', 'GOROOT']).trim(), 'src'));
