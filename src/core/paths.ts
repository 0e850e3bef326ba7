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

/** A path in a file system that is no disk's, as `scheme://authority/path`: the rules of the platform are not its own. */
const isVirtual = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

/** Names that Windows gives to devices, in every folder and with any ending: the console, a port, nothing. */
const DEVICE = /\/(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.[^/]*)?(\/|$)/i;

/**
 * Whether a path reaches content by a name that no link shows: a stream of NTFS (`.env::$DATA`), a fork of macOS
 * (`.env/..namedfork/data`), a device of Windows (`NUL.txt`).
 */
export function hasAlternateName(path: string, platform: NodeJS.Platform): boolean {
  if (isVirtual(path)) return false;
  const bare = path.replaceAll('\\', '/');
  if (platform === 'win32')
    return bare.replace(/^(\/\/[?.]\/)?[a-z]:/i, '').includes(':') || DEVICE.test(bare);
  return platform === 'darwin' && /\/\.\.namedfork(\/|$)/i.test(path);
}

/** What HFS+ passes over when it compares names. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A path as rules about names are held against it: with `/` between the names, and each as the system takes it, which on
 * Windows drops dots and spaces at the end, and on macOS takes accents in both spellings.
 */
export function asJudged(path: string, platform: NodeJS.Platform): string {
  if (isVirtual(path)) return path;
  if (platform === 'win32') return path.split(/[\\/]/).map(withoutEnd).join('/');
  return platform === 'darwin' ? path.normalize('NFC').replace(PASSED_OVER, '') : path;
}

/** A name without the dots and spaces at its end; one that has nothing else is left alone. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--;
  return end > 0 ? name.slice(0, end) : name;
}
