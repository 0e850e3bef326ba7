import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { Splitter } from '../../src/util/splitter.ts';
import { PATIENCE } from '../until.ts';
import type { Message } from './replies.ts';

/** What no message of the server may hold: it stands in files that are closed to agents. */
export const SECRET = 'c1osed-t0-agents';

/** What comes over a connection, message by message; the first thing that is wrong with it fails whoever waits. */
export class Inbox {
  readonly received: Message[] = [];
  readonly #onMessage: (message: Message) => void;
  readonly #news = new EventEmitter().setMaxListeners(0);
  #fault: unknown;
  #ended = false;

  /** @param onMessage throws where the message is not right */
  constructor(stream: Duplex, onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => this.#take(line));
    stream.on('data', (chunk: Buffer) =>
      this.#guarded(() => lines.push(decoder.decode(chunk, { stream: true }))),
    );
    stream.on('close', () => {
      this.#ended = true;
      this.#news.emit('news');
    });
    stream.on('error', () => {}); // seen by the end
  }

  /** Waits until it holds. @param missing what is waited for, in words */
  async until(isOver: () => boolean, missing: () => string): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!this.#fault && !isOver()) {
      assert.ok(!this.#ended, `the session has ended; missing: ${missing()}`);
      assert.ok(performance.now() < end, `no answer came; missing: ${missing()}`);
      await once(this.#news, 'news', { signal: AbortSignal.timeout(PATIENCE) }).catch(() => {});
    }
    if (this.#fault) throw this.#fault;
  }

  #take(line: string): void {
    assert.ok(!line.includes(SECRET), `a secret has come: ${line.slice(0, 500)}`);
    const message = JSON.parse(line);
    this.received.push(message);
    this.#onMessage(message);
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fault ??= error;
    }
    this.#news.emit('news');
  }
}
