/** Paths as text: where one lies in another. Nothing here looks at a disk. */

/** Platforms whose usual file systems take `A` and `a` for the same name. */
export const ignoresCase = (platform: NodeJS.Platform): boolean =>
  platform === 'win32' || platform === 'darwin';

/** With `/` between the names, without a slash at the end, and in lower case where the platform ignores case. */
export function comparable(path: string, platform: NodeJS.Platform): string {
  const slashed = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const bare = slashed.length > 1 ? slashed.replace(/\/+$/, '') : slashed;
  return ignoresCase(platform) ? bare.toLowerCase() : bare;
}

/** Whether the path is the folder itself or lies in it: `/ws/a` and `/ws` in `/ws`, but `/ws2` not. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const inner = comparable(path, platform);
  const outer = comparable(folder, platform);
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
