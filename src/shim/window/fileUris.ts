import { comparable } from '../../core/paths.ts';

/** How many names lead to a folder: 0 for the root. */
export const depthOf = (folder: string, platform: NodeJS.Platform): number =>
  comparable(folder, platform)
    .split('/')
    .filter((name) => name !== '').length;

/** The path of a `file:` URI, or undefined for another scheme, a broken URI, or another machine's file on POSIX. */
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

/** Windows spells a path in several ways: with the prefix of long ones, and a share of WSL under two names. */
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
