import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, hostId } from './machine.ts';
import { makePrivateDirectory } from './privateDirectory.ts';

/** What the path of a socket depends on. */
export interface SocketPlace {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  tmpdir: string;
  /** The state directory. */
  home: string;
  /** Undefined on Windows. */
  uid: number | undefined;
}

/** Longest path of a Unix domain socket, in bytes, including the final NUL (`sun_path`). */
const longestPath = (platform: NodeJS.Platform): number => (platform === 'linux' ? 108 : 104);

/**
 * A new socket path in the first usable one of {@link socketDirectories}. Creates that directory for the user only.
 *
 * @throws Error with the reasons and what to do if none can be used
 */
export function newSocketPath(place: SocketPlace): string {
  if (place.platform === 'win32') return `\\\\.\\pipe\\workspace-mcp-${randomBytes(16).toString('hex')}`;
  const name = `${machinePrefix()}${randomBytes(6).toString('hex')}.sock`;
  const problems: string[] = [];
  for (const directory of socketDirectories(place)) {
    try {
      const path = join(directory, name);
      refuseTooLong(path, place.platform);
      makePrivateDirectory(directory, place.uid);
      return path;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(`No directory can be used for the server's socket.\n${problems.join('\n')}`);
}

/**
 * Directories for the user's sockets, best first. The home is last: it may be on a network, or its path too long. In a shared
 * temporary directory another user may take the name. Not for Windows: a pipe has no directory.
 */
export function socketDirectories({ env, tmpdir, home, uid }: Omit<SocketPlace, 'platform'>): string[] {
  const runtime = env.XDG_RUNTIME_DIR;
  const usable = runtime && isDirectory(runtime) ? [join(runtime, 'workspace-mcp')] : [];
  return [...usable, join(tmpdir, `workspace-mcp-${uid}`), join(home, 'sockets')];
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function refuseTooLong(path: string, platform: NodeJS.Platform): void {
  const longest = longestPath(platform) - 1;
  if (Buffer.byteLength(path) <= longest) return;
  throw new Error(
    `${path} is longer than a socket path may be (${longest} bytes). Set TMPDIR to a shorter path.`,
  );
}

/** Prefix of this boot's socket names: other machines or containers may share the directory. */
export const machinePrefix = (): string =>
  `${createHash('sha256').update(`${hostId()}\n${bootId()}`).digest('hex').slice(0, 8)}-`;
