import { comparable } from '../../core/paths.ts';

/** Number of names in a path: 0 for the root. */
export const depthOf = (folder: string, platform: NodeJS.Platform): number =>
  comparable(folder, platform)
    .split('/')
    .filter((name) => name !== '').length;

/** The path of a `file:` URI, or undefined for another scheme, a broken URI, or on POSIX another machine's file. */
export function pathOfFileUri(uri: string, platform: NodeJS.Platform): string | undefined {
  try {
    const { protocol, host, pathname } = new URL(uri);
    if (protocol !== 'file:') return undefined;
    const path = decodeURIComponent(pathname);
    if (platform !== 'win32') return host === '' ? path : undefined;
    return host === '' ? path.replace(/^\/(?=[a-z]:)/i, '') : `//${host}${path}`;
  } catch {
    return undefined;
  }
}

/** One spelling for Windows paths, which may have a long-path prefix or either of two names for a WSL share. */
export const plainPath = (path: string, platform: NodeJS.Platform): string =>
  platform !== 'win32'
    ? path
    : path
        .replaceAll('\\', '/')
        .replace(
          /^\/\/[?.]\/(?:unc\/(.*)|([a-z]:.*))$/i,
          (_, unc?: string, drive?: string) => drive ?? `//${unc}`,
        )
        .replace(/^\/\/wsl\$\//i, '//wsl.localhost/');
