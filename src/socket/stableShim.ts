import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../util/replaceFile.ts';

/** The marker in the first lines of a shim; esbuild.mjs puts it in. */
const MARKER = /^\/\/ workspace-mcp shim (\d+)\.(\d+)\.(\d+)/m;

/** Where the copy lies whose path agents' configurations name: it stays when the extension's folder changes. */
export const stableShimPath = (home: string): string => join(home, 'shim.js');

/**
 * Copies the shim into the state directory when the copy there differs, by atomic rename; never over a newer one, which
 * another VS Code with a newer extension has put there.
 */
export function installShim(home: string, bundledShim: string): void {
  const path = stableShimPath(home);
  const ours = readFileSync(bundledShim);
  const theirs = readIfThere(path);
  if (theirs && (theirs.equals(ours) || isNewer(versionOf(theirs), versionOf(ours)))) return;
  replaceFile(path, ours, { mode: 0o700 });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // missing or unreadable: replaced
  }
}

/** Major, minor and patch; zeros where there is no marker. */
export function versionOf(shim: Buffer): number[] {
  const [, ...version] = MARKER.exec(shim.toString('utf8', 0, 200)) ?? ['', '0', '0', '0'];
  return version.map(Number);
}

/** Whether the first version is above the second. */
export function isNewer(theirs: number[], ours: number[]): boolean {
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}
