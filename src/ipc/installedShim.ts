import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere } from '../util/diskPaths.ts';
import { replaceFile } from './replaceFile.ts';

/** The version marker in the first lines of a shim, inserted by esbuild.mjs. */
const MARKER = /^\/\/ workspace-mcp shim (\d+\.\d+\.\d+)/m;

/** The oldest Node that the shim runs on. */
export const OLDEST_NODE = 20;

/** Path of the installed shim, for agents' configurations. It does not change with the extension's folder. */
export const stableShimPath = (home: string): string => join(home, 'shim.js');

/**
 * The package.json makes the shim CommonJS, whatever a package.json of the home directory says. The shim is written last, so
 * that it is never there without the others.
 */
const FILES = ['package.json', 'relay.js', 'hook.js', 'lspServer.js', 'shim.js'] as const;

/** The folder beside the shim in which Node keeps its compiled code. */
export const CODE = 'code';

/**
 * Copies the files that differ into the state directory, each by atomic rename. Keeps a newer shim, which a newer extension
 * in another VS Code has installed.
 */
export function installShim(home: string, bundledShim: string): void {
  const theirs = readIfThere(stableShimPath(home));
  if (theirs && isNewer(versionOf(theirs), versionOf(readFileSync(bundledShim)))) return;
  mkdirSync(join(home, CODE), { recursive: true, mode: 0o700 });
  for (const name of FILES) {
    const ours = readFileSync(join(dirname(bundledShim), name));
    if (!readIfThere(join(home, name))?.equals(ours))
      replaceFile(join(home, name), ours, { mode: name === 'shim.js' ? 0o700 : 0o600 });
  }
}

export const isSameShim = (one: string, other: string): boolean =>
  FILES.every((name) => {
    const [a, b] = [one, other].map((path) => readIfThere(join(dirname(path), name)));
    return a && b ? a.equals(b) : a === b;
  });

/** Major, minor and patch; undefined without a marker. */
export const versionOf = (shim: Buffer): string | undefined =>
  MARKER.exec(shim.toString('utf8', 0, 200))?.[1];

const isNewer = (theirs = '0', ours = '0'): boolean =>
  theirs.localeCompare(ours, 'en', { numeric: true }) > 0;
