import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere, replaceFile } from './replaceFile.ts';

/** The marker in the first lines of a shim; esbuild.mjs puts it in. */
const MARKER = /^\/\/ workspace-mcp shim (\d+)\.(\d+)\.(\d+)/m;

/** The oldest Node that the shim runs on. */
export const OLDEST_NODE = 20;

/** Where the copy lies whose path agents' configurations name: it stays when the extension's folder changes. */
export const stableShimPath = (home: string): string => join(home, 'shim.js');

/**
 * What lies beside it: that it is CommonJS, whatever a package.json of the home directory says, and the doctor. The shim
 * comes last, so that it never lies there without them.
 */
const FILES = ['package.json', 'doctor.js', 'shim.js'] as const;

/**
 * Copies the shim and what belongs to it into the state directory where they differ, each by atomic rename; never over a
 * newer one, which another VS Code with a newer extension has put there.
 */
export function installShim(home: string, bundledShim: string): void {
  const theirs = readIfThere(stableShimPath(home));
  if (theirs && isNewer(versionOf(theirs), versionOf(readFileSync(bundledShim)))) return;
  for (const name of FILES) {
    const ours = readFileSync(join(dirname(bundledShim), name));
    if (!readIfThere(join(home, name))?.equals(ours))
      replaceFile(join(home, name), ours, { mode: name === 'shim.js' ? 0o700 : 0o600 });
  }
}

/** Major, minor and patch; zeros where there is no marker. */
export function versionOf(shim: Buffer): number[] {
  const [, ...version] = MARKER.exec(shim.toString('utf8', 0, 200)) ?? ['', '0', '0', '0'];
  return version.map(Number);
}

/** Whether the first version is above the second. */
function isNewer(theirs: number[], ours: number[]): boolean {
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}
