import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where package managers and version managers put `node`, `npx`, `uvx`, `docker`, `deno` and `bun`; from the home directory. */
const OF_HOME = [
  '.local/bin',
  '.volta/bin',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.cargo/bin',
  '.deno/bin',
  '.bun/bin',
];
const OF_SYSTEM = ['/opt/homebrew/bin', '/usr/local/bin', '/snap/bin', '/usr/bin', '/bin'];
const NVM = '.nvm/versions/node';

/**
 * The directories of this machine that a login shell usually has on its PATH, most likely first. Empty on Windows, where programs
 * from the desktop have the same PATH as those from a shell.
 *
 * @param home absolute path
 */
export async function findProgramDirectories(home: string, platform: NodeJS.Platform): Promise<string[]> {
  if (platform === 'win32') return [];
  const versions = await readdir(join(home, NVM)).catch(() => []);
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  const candidates = [
    ...(newest ? [join(home, NVM, newest, 'bin')] : []),
    ...OF_HOME.map((directory) => join(home, directory)),
    ...OF_SYSTEM,
  ];
  const isThere = await Promise.all(candidates.map(isDirectory));
  return candidates.filter((_, index) => isThere[index]);
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
