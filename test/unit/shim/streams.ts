import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Two ends of one connection. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [[accepted], ours] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    connect((server.address() as AddressInfo).port, '127.0.0.1'),
  ]);
  server.close();
  return [ours, accepted];
}

/** Reads all that comes, and waits for what is to come. */
export class Reader {
  text = '';
  readonly #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk;
    });
  }

  /** The messages of the whole lines. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever was written
  get messages(): any[] {
    const lines = this.text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** The message of this id, once it is there. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async message(id: unknown): Promise<any> {
    const found = () => this.messages.find((message) => message.id === id);
    await this.#until(() => found() !== undefined, id);
    return found();
  }

  /** Resolves when the text holds `expected`, rejects when the stream closes before. */
  until(expected: string): Promise<void> {
    return this.#until(() => this.text.includes(expected), expected);
  }

  async #until(holds: () => boolean, what: unknown): Promise<void> {
    while (!holds()) {
      if (this.#stream.closed) throw new Error(`Closed without ${what}; read: ${this.text}`);
      await Promise.race([once(this.#stream, 'data'), once(this.#stream, 'close')]);
    }
  }
}
