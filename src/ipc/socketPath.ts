import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, hostId } from './machine.ts';
import { makePrivateDirectory } from './privateDirectory.ts';

/** What a socket's place depends on. */
export interface SocketPlace {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  tmpdir: string;
  /** The state directory. */
  home: string;
  /** Undefined on Windows. */
  uid: number | undefined;
}

/** Longest path of a Unix domain socket, in bytes, with the NUL that ends it (`sun_path`). */
const longestPath = (platform: NodeJS.Platform): number => (platform === 'linux' ? 108 : 104);

/**
 * A path that no socket has had before, in a directory of the user's own, which is created: the first usable one of
 * {@link socketDirectories}.
 *
 * @throws Error with the reason and what to do when none can be used
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
  throw new Error(`There is no directory for the server's socket.\n${problems.join('\n')}`);
}

/**
 * Where sockets of the user may be, the best place first: a home may be on a network, its path may be too long; but another user may
 * take the name in a shared temporary directory. On Windows a pipe has no directory.
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
    `${path} is longer than the ${longest} bytes of a socket's path. Set TMPDIR to a shorter one.`,
  );
}

/** How this boot's sockets begin: a container or machine may share the directory. */
export const machinePrefix = (): string =>
  `${createHash('sha256').update(`${hostId()}\n${bootId()}`).digest('hex').slice(0, 8)}-`;
