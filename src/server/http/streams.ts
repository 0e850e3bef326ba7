import { clock } from '../../util/clock.ts';
import { EventStream } from './eventStream.ts';

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
