import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { clock, every } from '../../util/clock.ts';

/** When a client that has lost its connection may come back, in milliseconds. */
const RETRY = 1_000;
/** Proxies and clients end connections that are silent, in milliseconds. */
const ALIVE = 15_000;
/** How long a client may take to read the rest of a response, in milliseconds. */
const GRACE = 500;

const EVENT_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no', // proxies would collect events
};

/** Begins a response of server-sent events, and keeps it alive. @returns whether the client is still there */
export function beginEvents(response: ServerResponse, headers: Record<string, string>): boolean {
  if (response.destroyed || response.closed) return false; // there will be no "close"
  response.writeHead(200, { ...EVENT_HEADERS, ...headers }).flushHeaders();
  const stop = every(ALIVE, () => !response.writableEnded && response.write(': alive\n\n'), true);
  response.once('close', stop);
  return true;
}

/** Ends a response; one that the client does not read is cut off. */
export function endSoon(response: ServerResponse): void {
  response.once(
    'close',
    clock.after(GRACE, () => response.destroy(), true),
  );
  response.end();
}

/**
 * A stream of server-sent events, one a message (WHATWG HTML, "Server-sent events"). It outlives its connection: a client that comes
 * back gets the events that it has missed.
 */
export class EventStream {
  readonly id: string = randomBytes(8).toString('hex');
  readonly #onDrain: () => void;
  readonly #most: number;
  /** The last events; the first of them has the number `#dropped`. */
  readonly #kept: string[] = [];
  #dropped = 0;
  /** UTF-16 units that are kept. */
  size = 0;
  /** How many events have been written to a connection. */
  #written = 0;
  #response: ServerResponse | undefined;
  isOver = false;

  /**
   * @param onDrain called when a client has read all that was written
   * @param most UTF-16 units of the events that are kept for a client that comes back; the last one is always kept
   */
  constructor(onDrain: () => void, most: number) {
    this.#onDrain = onDrain;
    this.#most = most;
  }

  /** UTF-16 units that no client has read. */
  get unread(): number {
    if (this.#response && this.isConnected) return this.#response.writableLength;
    return this.#kept
      .slice(Math.max(0, this.#written - this.#dropped))
      .reduce((sum, one) => sum + one.length, 0);
  }

  get isConnected(): boolean {
    return this.#response?.writableEnded === false;
  }

  send(text: string): void {
    this.#kept.push(text);
    this.size += text.length;
    while (this.size > this.#most && this.#kept.length > 1) {
      this.size -= this.#kept.shift()?.length ?? 0;
      this.#dropped++;
    }
    if (this.isConnected) this.#writeFrom(this.#written);
  }

  /** No more events come. The client may take its time to read the rest. */
  end(): void {
    this.isOver = true;
    this.#response?.end();
  }

  /** No more events come, and what the client does not read soon is lost. */
  cut(): void {
    this.isOver = true;
    if (this.#response) endSoon(this.#response);
  }

  /**
   * Sends events on this response, instead of the one before.
   *
   * @param after number of the last event that the client has; all that were not written if left out
   * @param isPrimed the client learns at once where to go on, and when (MCP 2025-11-25)
   */
  connect(response: ServerResponse, headers: Record<string, string>, after?: number, isPrimed = false): void {
    if (!beginEvents(response, headers)) return;
    if (this.#response) endSoon(this.#response);
    this.#response = response;
    response.on('drain', this.#onDrain);
    response.once('close', () => {
      if (this.#response === response) this.#response = undefined;
      this.#onDrain();
    });
    if (isPrimed) response.write(`id: ${this.id}-${this.#written}\nretry: ${RETRY}\ndata: \n\n`);
    this.#writeFrom(after ?? this.#written);
    if (this.isOver) response.end();
  }

  /** An event's id says how many the client has then. */
  #writeFrom(first: number): void {
    const start = Math.max(first, this.#dropped);
    for (const [index, text] of this.#kept.slice(start - this.#dropped).entries())
      this.#response?.write(`id: ${this.id}-${start + index + 1}\ndata: ${text}\n\n`);
    this.#written = this.#dropped + this.#kept.length;
  }
}

/** How long a stream that has ended is kept for a client that comes back, in milliseconds; and how much of all of them, in UTF-16 units. */
const KEPT = 60_000;
const MOST_KEPT = 16 * 1024 * 1024;
const MOST_ENDED = 64;

/** The event streams of one session: those that are open, and for a while those that have ended. */
export class Streams {
  readonly #onRead: () => void;
  readonly #all = new Map<string, EventStream>();
  /** The oldest first. */
  readonly #ended: { stream: EventStream; forget(): void }[] = [];

  /** @param onRead called when less is unread than before */
  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  /** UTF-16 units that no client has read. */
  get unread(): number {
    return [...this.#all.values()].reduce((sum, { unread }) => sum + unread, 0);
  }

  /** @param most UTF-16 units of the events that are kept */
  open(most = MOST_KEPT): EventStream {
    const stream = new EventStream(this.#onRead, most);
    this.#all.set(stream.id, stream);
    return stream;
  }

  get(id: string): EventStream | undefined {
    return this.#all.get(id);
  }

  /** Keeps a stream that has ended for a while, as far as there is room. */
  retire(stream: EventStream): void {
    const forget = clock.after(KEPT, () => this.drop(this.#ended.shift()?.stream), true);
    this.#ended.push({ stream, forget });
    let total = this.#ended.reduce((sum, { stream: { size } }) => sum + size, 0);
    while (this.#ended.length > MOST_ENDED || (total > MOST_KEPT && this.#ended.length > 1)) {
      const oldest = this.#ended.shift();
      oldest?.forget();
      total -= oldest?.stream.size ?? 0;
      this.drop(oldest?.stream);
    }
  }

  drop(stream: EventStream | undefined): void {
    if (stream && this.#all.delete(stream.id)) this.#onRead(); // it counts as unread no more
  }

  end(): void {
    for (const { forget } of this.#ended) forget();
    for (const stream of this.#all.values()) stream.cut();
  }
}

/** The stream and the number of the last event that a client has, from `Last-Event-ID`. */
export function lastEventOf(lastEventId: string): { stream: string; after: number } | undefined {
  const [, stream = '', after = ''] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(lastEventId) ?? [];
  return stream ? { stream, after: Number(after) } : undefined;
}
