import type { Duplex } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ErrorReply } from './errorReply.ts';
import type { Reply } from './versions.ts';

/** While an agent leaves more than this unread, in bytes, no further request of it is taken. */
const MAX_UNREAD = 16 * 1024 * 1024;

export type Outgoing = JSONRPCMessage | ErrorReply | readonly (Reply | ErrorReply)[];

/** The sending side of a connection: a line a message. */
export class Outbox {
  readonly #socket: Duplex;
  #corked = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('drain', () => socket.resume());
  }

  /** Sends a message; those of one turn of the event loop leave in one system call. Returns its size in UTF-16 units. */
  send(message: Outgoing): number {
    this.#cork();
    const line = `${JSON.stringify(message)}\n`;
    this.#socket.write(line);
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.pause();
    return line.length;
  }

  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#corked = false;
      this.#socket.uncork();
    });
  }
}
