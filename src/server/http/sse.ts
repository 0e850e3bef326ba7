/** HTTP with SSE, the transport of MCP 2024-11-05: one stream to the client, and POSTs that are only received. */
import type { ServerResponse } from 'node:http';
import type { Outlet } from '../../protocol/wire/outbox.ts';
import type { Pipeline } from '../../protocol/wire/pipeline.ts';
import type { Channel } from '../channel.ts';
import { beginEvents, endSoon } from './eventStream.ts';
import { Refusal, SESSION_NOT_FOUND } from './refusal.ts';

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
  #pipeline: Pipeline | undefined;

  /** @param address where the client posts its messages */
  constructor(response: ServerResponse, headers: Record<string, string>, address: string) {
    this.#response = response;
    this.#address = address;
    this.isClosed = !beginEvents(response, headers);
    response.on('drain', () => this.#pipeline?.drained());
    response.once('close', () => {
      this.isClosed = true;
      this.#pipeline?.close();
      for (const listener of this.#listeners) listener();
    });
  }

  readInto(pipeline: Pipeline): void {
    this.#pipeline = pipeline;
    this.#write('endpoint', this.#address); // from now on messages are taken
  }

  onClose(listener: () => void): void {
    this.#listeners.add(listener);
  }

  disconnect(): void {
    this.#pipeline?.close();
    endSoon(this.#response);
  }

  /** Takes what the client has posted. Resolves once it has read enough of what it was sent. */
  async take(text: string): Promise<void> {
    await this.#pipeline?.take(text);
    if (this.isClosed)
      throw new Refusal(404, 'The stream has ended. Open /sse again.', { code: SESSION_NOT_FOUND });
  }

  #write(event: string, data: string): void {
    if (!this.#response.writableEnded) this.#response.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}
