/** Paths as text: where one lies in another. Nothing here looks at a disk. */

/** Platforms whose usual file systems take `A` and `a` for the same name. */
export const ignoresCase = (platform: NodeJS.Platform): boolean =>
  platform === 'win32' || platform === 'darwin';

/**
 * With `/` between the names, without a slash at the end, in lower case where the platform ignores case, and with accents
 * composed where it takes both spellings for the same name.
 */
export function comparable(path: string, platform: NodeJS.Platform): string {
  const slashed = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const bare = slashed.endsWith('/') ? slashed.replace(/\/+$/, '') || '/' : slashed;
  const composed = platform === 'darwin' ? bare.normalize('NFC') : bare;
  return ignoresCase(platform) ? composed.toLowerCase() : composed;
}

/** The way from a folder to a path in it, comparable: `''` for the folder itself, undefined for what lies outside. */
export function inside(path: string, folder: string, platform: NodeJS.Platform): string | undefined {
  const inner = comparable(path, platform);
  const outer = comparable(folder, platform);
  if (inner === outer) return '';
  const prefix = outer.endsWith('/') ? outer : `${outer}/`;
  return inner.startsWith(prefix) ? inner.slice(prefix.length) : undefined;
}

/** Whether the path is the folder itself or lies in it: `/ws/a` and `/ws` in `/ws`, but `/ws2` not. */
export const isWithin = (path: string, folder: string, platform: NodeJS.Platform): boolean =>
  inside(path, folder, platform) !== undefined;

/** A path in a folder, with the folder spelled as `name`. By its names: another case, or accent, may be of another length. */
export function respelled(path: string, folder: string, name: string, platform: NodeJS.Platform): string {
  const [slash, slashes] = platform === 'win32' ? (['\\', /[\\/]+/] as const) : (['/', /\/+/] as const);
  const namesIn = (text: string) => text.split(slashes).filter((one) => one !== '');
  const inner = namesIn(path).slice(namesIn(folder).length);
  if (inner.length === 0) return name;
  return [name.endsWith(slash) ? name.slice(0, -1) : name, ...inner].join(slash);
}

/**
 * Whether a path reaches a file's content by a second name that no link shows: a stream of NTFS (`.env::$DATA`), a fork
 * of macOS (`.env/..namedfork/data`).
 */
export function hasAlternateName(path: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return path.replace(/^([\\/]{2}[?.][\\/])?[a-z]:/i, '').includes(':');
  return platform === 'darwin' && /\/\.\.namedfork(\/|$)/i.test(path);
}
