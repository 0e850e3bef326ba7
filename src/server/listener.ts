import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type GoodbyeReason, goodbyeLine } from '../ipc/goodbye.ts';
import { PREAMBLE_TIMEOUT } from '../ipc/preamble.ts';
import type { Log } from '../util/log.ts';
import { acceptPeer, type Host, type Peer } from './acceptPeer.ts';

export interface ListenerOptions extends Host {
  /** Unix domain socket, or `\\.\pipe\…` on Windows. */
  socketPath: string;
  /** Serves a peer that has proved itself. The listener destroys the socket when this fails and when it is closed. */
  openSession(socket: Socket, peer: Peer): void | Promise<void>;
  /** Called when {@link Listener.connections} has changed. */
  onConnectionsChange?: () => void;
  log: Log;
}

/** Most connections that have not proved themselves yet: a stranger must not use up the descriptors. */
const MAX_UNPROVEN = 32;

/** How long a shim may take to read a goodbye and end its side, in milliseconds. */
const GOODBYE_TIMEOUT = 500;

export interface Listener {
  /** How many agents are connected. */
  readonly connections: number;
  /**
   * Ends all connections and removes the socket, at once: VS Code does not wait for a window that closes.
   *
   * @param goodbye what shims are told; their connections end when they end them, or soon after
   */
  close(goodbye?: GoodbyeReason): void;
}

/** Starts listening. Rejects when the path cannot be bound. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { socketPath, log } = options;
  const connections: Connections = { unproven: new Set(), proven: new Set() };
  const server = createServer((socket) => void admit(socket, connections, options));
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    server.on('error', (error) => log.error(error));
    // The directory keeps others out already; this is for those who look at the file.
    if (!isPipe(socketPath)) chmodSync(socketPath, 0o600);
  } catch (error) {
    server.close();
    throw error;
  }
  const { unproven, proven } = connections;
  return {
    get connections() {
      return proven.size;
    },
    close(goodbye) {
      server.close();
      for (const socket of unproven) socket.destroy();
      for (const socket of proven) {
        if (goodbye) sayGoodbye(socket, goodbye);
        else socket.destroy();
      }
      removeSocket(socketPath);
    },
  };
}

interface Connections {
  unproven: Set<Socket>;
  proven: Set<Socket>;
}

async function admit(
  socket: Socket,
  { unproven, proven }: Connections,
  options: ListenerOptions,
): Promise<void> {
  const { openSession, onConnectionsChange, log } = options;
  // A peer that goes away is no event here: every reader learns of it by "close".
  socket.on('error', () => {});
  const [oldest] = unproven;
  if (oldest && unproven.size >= MAX_UNPROVEN) {
    // Shims prove themselves at once: refusing the new one instead would lock agents out.
    log.warn(`A connection was closed: it and ${MAX_UNPROVEN} others have not proved themselves.`);
    unproven.delete(oldest);
    oldest.destroy();
  }
  const timer = setTimeout(() => socket.destroy(), PREAMBLE_TIMEOUT);
  socket.once('close', () => clearTimeout(timer));
  unproven.add(socket);
  try {
    const peer = await acceptPeer(socket, options);
    clearTimeout(timer);
    if (socket.destroyed) throw new Error('The peer has gone.');
    unproven.delete(socket);
    proven.add(socket);
    socket.once('close', () => {
      proven.delete(socket);
      onConnectionsChange?.();
    });
    onConnectionsChange?.();
    await openSession(socket, peer);
  } catch (error) {
    log.debug(`A connection was closed: ${(error as Error).message}`);
    socket.destroySoon(); // a refusal is still to be written
  } finally {
    unproven.delete(socket);
  }
}

/** The last that is written: a session writes nothing more, and takes nothing, once its socket has been ended. */
function sayGoodbye(socket: Socket, reason: GoodbyeReason): void {
  const timer = setTimeout(() => socket.destroy(), GOODBYE_TIMEOUT).unref();
  socket.once('close', () => clearTimeout(timer));
  // Not destroyed once it is written: what the shim has sent meanwhile, unread, would make the end a failure to it.
  socket.end(goodbyeLine(reason));
}

/** Does nothing for a pipe of Windows, which ends with its process. */
export function removeSocket(socketPath: string): void {
  if (!isPipe(socketPath)) rmSync(socketPath, { force: true });
}

const isPipe = (socketPath: string): boolean => socketPath.startsWith('\\\\.\\pipe\\');
