import { percentDecoded } from './paths.ts';

const URI = /^(file|vscode-remote):\/\/([^/\\]*)(.*)$/i;
/** Files of a distribution in WSL, as Windows names them. */
const OF_WSL = /^\/\/(?:wsl\.localhost|wsl\$)\/[^/]+(?=\/|$)/i;
/** Drives, as WSL, the shells of Git and Cygwin, and URIs name them. */
const MOUNTED = /^\/(?:mnt\/|cygdrive\/)?([a-z]):?(?=\/|$)/i;

/**
 * What a path means here if it is written as on another system (Windows, WSL), by VS Code's client, in quotes or between blanks.
 * A name on this disk may look so, too: that one counts. Undefined if the path has none of it.
 */
export function otherSpelling(
  path: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const bare = path.trim().replace(/^(["'`])(.+)\1$/s, '$2');
  const [, scheme = '', host = '', rest = bare] = URI.exec(bare) ?? [];
  const isShare = host !== '' && scheme.toLowerCase() === 'file';
  const whole = `${isShare ? `//${host}` : ''}${rest}`;
  const slashed = (scheme ? percentDecoded(whole) : whole).replaceAll('\\', '/');
  const meant =
    platform === 'win32'
      ? slashed.replace(MOUNTED, '$1:')
      : slashed
          .replace(OF_WSL, '')
          .replace(/^\/?([a-z]):(?=\/)/i, (_, drive) => `/mnt/${drive.toLowerCase()}`);
  const isOther = meant !== path && !meant.startsWith('//') && !meant.includes('\0'); // nor is another host's file here
  return isOther ? meant || '/' : undefined;
}
