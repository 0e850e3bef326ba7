/** Compares paths as text, without disk access. */
import { attempt } from './errors.ts';

/** Whether the platform's usual file systems ignore case. */
export const ignoresCase = (platform: NodeJS.Platform): boolean =>
  platform === 'win32' || platform === 'darwin';

/**
 * The path with `/` as separator and no trailing slash, in lower case if the platform ignores case, and in NFC if the platform
 * treats both forms as the same name.
 */
export function comparable(path: string, platform: NodeJS.Platform): string {
  const slashed = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const bare = slashed.endsWith('/') ? slashed.replace(/\/+$/, '') || '/' : slashed;
  const composed = platform === 'darwin' ? bare.normalize('NFC') : bare;
  return ignoresCase(platform) ? composed.toLowerCase() : composed;
}

/** The comparable path relative to a folder: `''` for the folder itself, undefined for a path outside. */
export function inside(path: string, folder: string, platform: NodeJS.Platform): string | undefined {
  const inner = comparable(path, platform);
  const outer = comparable(folder, platform);
  if (inner === outer) return '';
  const prefix = outer.endsWith('/') ? outer : `${outer}/`;
  return inner.startsWith(prefix) ? inner.slice(prefix.length) : undefined;
}

/** Whether the path is the folder or in it: `/ws/a` and `/ws` are within `/ws`, `/ws2` is not. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform): boolean {
  if (path === folder) return true;
  // Asked often: names of one spelling are compared as they are.
  if (platform === 'linux' && !folder.endsWith('/'))
    return path.startsWith(folder) && path[folder.length] === '/';
  return inside(path, folder, platform) !== undefined;
}

/** A path in a folder, with the folder replaced by `name`. Works on segments: another case or accent may change the length. */
export function respelled(path: string, folder: string, name: string, platform: NodeJS.Platform): string {
  const [slash, slashes] = platform === 'win32' ? (['\\', /[\\/]+/] as const) : (['/', /\/+/] as const);
  const namesIn = (text: string) => text.split(slashes).filter((one) => one !== '');
  const inner = namesIn(path).slice(namesIn(folder).length);
  if (inner.length === 0) return name;
  return [name.endsWith(slash) ? name.slice(0, -1) : name, ...inner].join(slash);
}

/** A text without %-escapes; unchanged if they are not valid UTF-8. */
export const percentDecoded = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;

/** One text for all names that some disk takes for the same, whatever their case: `\u017f` is an s in another case. */
export const folded = (path: string): string => path.toUpperCase().toLowerCase();

/** Whether a path is `scheme://authority/path` of a virtual file system: the platform's rules do not apply to it. */
const isVirtual = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

/** Device names of Windows (console, ports, null), reserved in every folder and with any extension. */
const DEVICE = /\/(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.[^/]*)?(\/|$)/i;

/**
 * Whether a path uses an alternate name that resolving links does not reveal: an NTFS stream (`.env::$DATA`), a macOS fork
 * (`.env/..namedfork/data`), a Windows device (`NUL.txt`).
 */
export function hasAlternateName(path: string, platform: NodeJS.Platform): boolean {
  if (isVirtual(path)) return false;
  const bare = path.replaceAll('\\', '/');
  if (platform === 'win32')
    return bare.replace(/^(\/\/[?.]\/)?[a-z]:/i, '').includes(':') || DEVICE.test(bare);
  return platform === 'darwin' && /\/\.\.namedfork(\/|$)/i.test(path);
}

/** Why no file of the system can get this name, as the end of a sentence; undefined if one can. */
export function impossibleName(name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are not allowed either
  if (/[<>:"|?*\\\0-\x1f]/.test(name))
    return 'Windows allows none of < > : " \\ | ? * and no control characters';
  if (/[. ]$/.test(name)) return 'Windows would drop the dot or space at its end';
  return DEVICE.test(`/${name}`) ? 'it is the name of a device of Windows' : undefined;
}

/** Characters that HFS+ ignores when it compares names. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The form of a path that rules match: with `/` as separator, and each name as the system interprets it. Windows drops trailing
 * dots and spaces; macOS treats composed and decomposed accents as the same.
 */
export function asJudged(path: string, platform: NodeJS.Platform): string {
  if (platform === 'linux' || isVirtual(path)) return path;
  if (platform === 'win32') return path.split(/[\\/]/).map(withoutEnd).join('/');
  return platform === 'darwin' ? path.normalize('NFC').replace(PASSED_OVER, '') : path;
}

/** A name without trailing dots and spaces; unchanged if it has nothing else. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--;
  return end > 0 ? name.slice(0, end) : name;
}

/**
 * VS Code's user data directory, from the global storage of an extension: `<data>/User/globalStorage/<extension>`, or
 * `<data>/User/profiles/<profile>/globalStorage/<extension>`. The storage directory itself if its path has neither form.
 */
export const userDataOf = (globalStorage: string): string =>
  /^(.+)[\\/]User[\\/](profiles[\\/][^\\/]+[\\/])?globalStorage[\\/][^\\/]+$/.exec(globalStorage)?.[1] ??
  globalStorage;
