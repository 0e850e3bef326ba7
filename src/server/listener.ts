import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
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
  onConnectionsChange?(): void;
  log: Log;
}

/** Most connections that have not proved themselves yet: a stranger must not use up the descriptors. */
const MAX_UNPROVEN = 32;

/** How long a shim may take to read a goodbye and end its side, in milliseconds. */
const GOODBYE_TIMEOUT = 500;

/** Starts listening. Rejects when the path cannot be bound. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const server = createServer();
  const listener = new Listener(server, options);
  try {
    server.listen(options.socketPath);
    await once(server, 'listening');
    server.on('error', (error) => options.log.error(error));
    // The directory keeps others out already; this is for those who look at the file.
    if (!isPipe(options.socketPath)) chmodSync(options.socketPath, 0o600);
    return listener;
  } catch (error) {
    server.close();
    throw error;
  }
}

export class Listener {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  readonly #unproven = new Set<Socket>();
  readonly #proven = new Set<Socket>();

  /** Use {@link startListener}. */
  constructor(server: Server, options: ListenerOptions) {
    this.#server = server;
    this.#options = options;
    server.on('connection', (socket) => void this.#admit(socket));
  }

  /** How many agents are connected. */
  get connections(): number {
    return this.#proven.size;
  }

  /**
   * Ends all connections and removes the socket, at once: VS Code does not wait for a window that closes.
   *
   * @param goodbye what shims are told; their connections end when they end them, or soon after
   */
  close(goodbye?: GoodbyeReason): void {
    this.#server.close();
    for (const socket of this.#unproven) socket.destroy();
    for (const socket of this.#proven) {
      if (goodbye) sayGoodbye(socket, goodbye);
      else socket.destroy();
    }
    removeSocket(this.#options.socketPath);
  }

  async #admit(socket: Socket): Promise<void> {
    const { openSession, log } = this.#options;
    // A peer that goes away is no event here: every reader learns of it by "close".
    socket.on('error', () => {});
    const [oldest] = this.#unproven;
    if (oldest && this.#unproven.size >= MAX_UNPROVEN) {
      // Shims prove themselves at once: refusing the new one instead would lock agents out.
      log.warn(`A connection was closed: it and ${MAX_UNPROVEN} others have not proved themselves.`);
      this.#unproven.delete(oldest);
      oldest.destroy();
    }
    const timer = setTimeout(() => socket.destroy(), PREAMBLE_TIMEOUT);
    socket.once('close', () => clearTimeout(timer));
    this.#unproven.add(socket);
    try {
      const peer = await acceptPeer(socket, this.#options);
      clearTimeout(timer);
      this.#keep(socket);
      await openSession(socket, peer);
    } catch (error) {
      log.debug(`A connection was closed: ${(error as Error).message}`);
      socket.destroySoon(); // a refusal is still to be written
    } finally {
      this.#unproven.delete(socket);
    }
  }

  #keep(socket: Socket): void {
    if (socket.destroyed) throw new Error('The peer has gone.');
    this.#unproven.delete(socket);
    this.#proven.add(socket);
    socket.once('close', () => {
      this.#proven.delete(socket);
      this.#options.onConnectionsChange?.();
    });
    this.#options.onConnectionsChange?.();
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
