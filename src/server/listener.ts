import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type GoodbyeReason, goodbyeLine } from '../ipc/goodbye.ts';
import { PREAMBLE_TIMEOUT } from '../ipc/preamble.ts';
import { clock } from '../util/clock.ts';
import type { Log } from '../util/log.ts';
import { acceptPeer, type Host, type Peer } from './acceptPeer.ts';

export interface ListenerOptions extends Host {
  /** Unix domain socket, or `\\.\pipe\…` on Windows. */
  socketPath: string;
  /** Serves an authenticated peer. The listener destroys the socket if this fails, and when it is closed. */
  openSession(socket: Socket, peer: Peer): void | Promise<void>;
  /** Called when {@link Listener.connections} has changed. */
  onConnectionsChange?: () => void;
  log: Log;
}

/** Most unauthenticated connections: a stranger must not use up the file descriptors. */
const MAX_UNPROVEN = 32;

/** How long a shim may take to read a goodbye and end its side, in milliseconds. */
const GOODBYE_TIMEOUT = 500;

export interface Listener {
  /** How many agents are connected. */
  readonly connections: number;
  /**
   * Closes all connections and removes the socket, synchronously: VS Code does not wait for a closing window.
   *
   * @param goodbye reason sent to shims; their connections end when the shims close them, or after {@link GOODBYE_TIMEOUT}
   */
  close(goodbye?: GoodbyeReason): void;
}

/** Starts listening. Rejects if the path cannot be bound. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { socketPath, log } = options;
  const connections: Connections = { unproven: new Set(), proven: new Set() };
  const server = createServer((socket) => void admit(socket, connections, options));
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    server.on('error', (error) => log.error(error));
    // The directory already keeps other users out; this shows it on the file too.
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
  // A failing peer needs no handling here: every reader gets "close".
  socket.on('error', () => {});
  const [oldest] = unproven;
  if (oldest && unproven.size >= MAX_UNPROVEN) {
    // Shims authenticate at once, so close the oldest: refusing new ones would lock agents out.
    log.warn(`Closed a connection: ${MAX_UNPROVEN} others are not authenticated either.`);
    unproven.delete(oldest);
    oldest.destroy();
  }
  const inTime = clock.after(PREAMBLE_TIMEOUT, () => socket.destroy());
  socket.once('close', inTime);
  unproven.add(socket);
  try {
    const peer = await acceptPeer(socket, options);
    inTime();
    if (socket.destroyed) throw new Error('The peer closed the connection.');
    unproven.delete(socket);
    proven.add(socket);
    socket.once('close', () => {
      proven.delete(socket);
      onConnectionsChange?.();
    });
    onConnectionsChange?.();
    await openSession(socket, peer);
  } catch (error) {
    log.debug(`Closed a connection: ${(error as Error).message}`);
    socket.destroySoon(); // flushes a refusal first
  } finally {
    unproven.delete(socket);
  }
}

/** Sends the last line. A session writes and reads nothing after its socket has been ended. */
function sayGoodbye(socket: Socket, reason: GoodbyeReason): void {
  socket.once(
    'close',
    clock.after(GOODBYE_TIMEOUT, () => socket.destroy(), true),
  );
  // Not destroyed after the write: with unread data from the shim, that would be a connection error for it.
  socket.end(goodbyeLine(reason));
}

/** Does nothing for a Windows pipe, which ends with its process. */
export function removeSocket(socketPath: string): void {
  if (!isPipe(socketPath)) rmSync(socketPath, { force: true });
}

const isPipe = (socketPath: string): boolean => socketPath.startsWith('\\\\.\\pipe\\');
