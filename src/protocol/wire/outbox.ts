import type { Duplex } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ErrorReply } from '../../core/errorReply.ts';
import type { Reply } from './versions.ts';

/** While an agent leaves more than this unread, in bytes, no further request of it is taken, and news waits. */
const MAX_UNREAD = 16 * 1024 * 1024;

export type Outgoing = JSONRPCMessage | ErrorReply | readonly (Reply | ErrorReply)[];

/** The sending side of a connection: a line a message. */
export class Outbox {
  readonly #socket: Duplex;
  /** What has changed while the agent does not read, by what it tells: once is enough. */
  readonly #news = new Map<string, string>();
  #corked = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('drain', () => {
      socket.resume();
      for (const line of [...this.#news.values()]) this.#write(line);
      this.#news.clear();
    });
  }

  /** Sends a message; those of one turn of the event loop leave in one system call. Returns its size in UTF-16 units. */
  send(message: Outgoing): number {
    const line = `${JSON.stringify(message)}\n`;
    const isNews = 'method' in message && !('id' in message);
    if (!isNews || this.#socket.writableLength <= MAX_UNREAD) this.#write(line);
    else if (TELLS_OF_CHANGES.test(message.method)) this.#news.set(line, line);
    return line.length;
  }

  #write(line: string): void {
    this.#cork();
    this.#socket.write(line);
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.pause();
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

/** Notifications that must not be lost; progress and log messages are of no use once they are old. */
const TELLS_OF_CHANGES = /(list_changed|updated|acknowledged|cancelled)$/;
