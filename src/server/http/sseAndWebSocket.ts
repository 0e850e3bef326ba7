/** HTTP with SSE, the transport of MCP 2024-11-05: one stream to the client, and POSTs that are only received. */
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { Outlet } from '../../protocol/wire/outbox.ts';
import type { Channel, Wire } from '../../protocol/wire/wire.ts';
import { clock, every } from '../../util/clock.ts';
import { beginEvents, endSoon } from './eventStream.ts';
import { HttpRefusal, SESSION_NOT_FOUND } from './requests.ts';

export class SseChannel implements Channel {
  readonly outlet: Outlet = {
    send: (text) => this.#write('message', text),
    unread: () => this.#response.writableLength,
    end: () => endSoon(this.#response),
  };
  isClosed = false;
  readonly #response: ServerResponse;
  readonly #address: string;
  readonly #listeners = new Set<() => void>();
  #wire: Wire | undefined;

  /** @param address where the client posts its messages */
  constructor(response: ServerResponse, headers: Record<string, string>, address: string) {
    this.#response = response;
    this.#address = address;
    this.isClosed = !beginEvents(response, headers);
    response.on('drain', () => this.#wire?.outbox.drained());
    response.once('close', () => {
      this.isClosed = true;
      this.#wire?.close();
      for (const listener of this.#listeners) listener();
    });
  }

  readInto(wire: Wire): void {
    this.#wire = wire;
    this.#write('endpoint', this.#address); // from now on messages are taken
  }

  onClose(listener: () => void): void {
    this.#listeners.add(listener);
  }

  disconnect(): void {
    this.#wire?.close();
    endSoon(this.#response);
  }

  /** Takes what the client has posted. Resolves once it has read enough of what it was sent. */
  async take(text: string): Promise<void> {
    await this.#wire?.take(text);
    if (this.isClosed)
      throw new HttpRefusal(404, 'The stream has ended. Open /sse again.', { code: SESSION_NOT_FOUND });
  }

  #write(event: string, data: string): void {
    if (!this.#response.writableEnded) this.#response.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}

/** A client that answers no ping in this time has gone, in milliseconds. */
const ALIVE = 30_000;
/** A client that leaves so many bytes unread gets no more pongs: it may be flooding us. */
const MOST_UNREAD = 64 * 1024;

/** How long a client may take to close its side, in milliseconds. */
const GRACE = 500;

const UNSUPPORTED = 1003;
const GOING_AWAY = 1001;

/** A WebSocket that carries one message a frame. */
export function webSocketChannel(socket: WebSocket): Channel {
  let isAlive = true;
  let unread = 0;
  const isOpen = () => socket.readyState === socket.OPEN;
  const stop = every(ALIVE, () => {
    // A ping waits behind what is unread, and its answer while we do not listen.
    const isReading = socket.bufferedAmount < unread || socket.isPaused;
    unread = socket.bufferedAmount;
    if (!isAlive && !isReading) return socket.terminate();
    if (isReading) return;
    isAlive = false;
    socket.ping();
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('ping', (data) => {
    isAlive = true;
    if (socket.bufferedAmount < MOST_UNREAD) socket.pong(data);
  });
  socket.on('error', () => {}); // "close" follows
  socket.once('close', stop);
  let wire: Wire | undefined;
  const sent = () => {
    if (socket.bufferedAmount === 0) wire?.outbox.drained();
  };
  return {
    outlet: {
      send: (text) => {
        if (isOpen()) socket.send(text, sent);
      },
      unread: () => socket.bufferedAmount,
      end: () => socket.close(GOING_AWAY),
    },
    get isClosed() {
      return !isOpen();
    },
    readInto(given) {
      wire = given;
      socket.on('message', (data, isBinary) => {
        if (!isOpen()) return; // after the last message to the agent, a request would be executed without an answer
        if (isBinary) return socket.close(UNSUPPORTED, 'Send each message as text.');
        isAlive = true;
        const later = given.take(data.toString());
        if (!later) return;
        socket.pause();
        void later.then(() => socket.resume());
      });
      socket.once('close', () => void given.close());
    },
    onClose: (listener) => void socket.once('close', listener),
    disconnect() {
      socket.close(GOING_AWAY, 'The user has disconnected this agent.');
      wire?.close();
      clock.after(GRACE, () => socket.terminate(), true); // a client need not answer
    },
  };
}
