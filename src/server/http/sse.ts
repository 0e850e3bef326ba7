/** HTTP with SSE, the transport of MCP 2024-11-05: one stream to the client, and POSTs that are only received. */
import type { ServerResponse } from 'node:http';
import type { Outlet } from '../../protocol/wire/outbox.ts';
import type { Channel, Wire } from '../../protocol/wire/wire.ts';
import { beginEvents, endSoon } from './eventStream.ts';
import { HttpRefusal, SESSION_NOT_FOUND } from './refusal.ts';

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
