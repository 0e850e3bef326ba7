/**
 * The parts of a path by which folders are compared, so that `/ws/` equals `/ws` and `/ws` does not hold `/ws2`. Case
 * counts only where file systems usually tell it apart; macOS also writes one name in several Unicode forms.
 */
export function pathParts(path: string, platform: NodeJS.Platform): string[] {
  const separator = platform === 'win32' ? /[\\/]+/ : /\/+/;
  const parts = comparable(path, platform)
    .split(separator)
    .filter((part) => part !== '');
  // \\server\share\x must not be taken for \server\share\x of the current drive.
  return platform === 'win32' && /^[\\/]{2}/.test(path) ? ['\\\\', ...parts] : parts;
}

function comparable(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return path.toLowerCase();
  return platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path;
}

/** Whether `folder` equals `path` or holds it. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const inner = pathParts(path, platform);
  return pathParts(folder, platform).every((part, index) => part === inner[index]);
}

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

/** Whether the system, not a person, chose the directory: on Windows where programs are installed, else the root. */
export function isSystemDirectory(path: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'win32') return path === '/';
  const { SystemRoot, ProgramFiles, LOCALAPPDATA } = env;
  const directories = [SystemRoot, ProgramFiles, env['ProgramFiles(x86)'], LOCALAPPDATA];
  return directories.some((directory) => directory !== undefined && isWithin(path, directory, platform));
}
