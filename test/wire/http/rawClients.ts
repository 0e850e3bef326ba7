/** Clients of the transports over HTTP, by hand. */
import { WebSocket } from 'ws';
import { Splitter } from '../../../src/core/text/lines.ts';
import { RawClient } from '../rawClient.ts';

export const TOKEN = 'secret';
export const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

/** Calls back with each event of a stream, until it ends. */
export async function readEvents(response: Response, take: (name: string, data: string, id: string) => void) {
  let fields: Record<string, string> = {};
  const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) fields[name] = value;
    if (line !== '') return;
    if (fields.data) take(fields.event ?? 'message', fields.data, fields.id ?? '');
    fields = {};
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) lines.push(decoder.decode(chunk, { stream: true }));
  } catch {} // the connection is lost
}

/** What the end of the client breaks off is no failure; everything else is. */
const unlessEnded = (signal: AbortSignal, going: Promise<unknown>): Promise<unknown> =>
  going.catch((error) => {
    if (!signal.aborted) throw error;
  });

const texts = (content: string | Uint8Array): string[] =>
  `${content}`.split('\n').filter((line) => line !== '');

/** Streamable HTTP: a POST for each message, and a stream once there is a session. */
export class HttpClient extends RawClient {
  session: string | undefined;
  readonly #url: string;
  readonly #ended = new AbortController();
  #sent: Promise<unknown> = Promise.resolve();

  constructor(port: number) {
    super();
    this.#url = `http://127.0.0.1:${port}/mcp`;
  }

  /** In order: each goes when the one before is on its way. */
  write(content: string | Uint8Array): void {
    for (const body of texts(content))
      this.#sent = unlessEnded(
        this.#ended.signal,
        this.#sent.then(() => this.#post(body)),
      );
  }

  end(): void {
    this.#ended.abort();
  }

  get #headers(): Record<string, string> {
    return {
      ...AUTHORIZED,
      ...(this.session && { 'Mcp-Session-Id': this.session }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
  }

  async #post(body: string): Promise<void> {
    const { signal } = this.#ended;
    const response = await fetch(this.#url, { method: 'POST', headers: this.#headers, body, signal });
    const session = response.headers.get('Mcp-Session-Id');
    if (session) void unlessEnded(signal, this.#listen(session));
    void unlessEnded(signal, this.#read(response));
  }

  async #listen(session: string): Promise<void> {
    this.session = session;
    await this.#read(await fetch(this.#url, { headers: this.#headers, signal: this.#ended.signal }));
  }

  async #read(response: Response): Promise<void> {
    if (response.headers.get('Content-Type') === 'text/event-stream')
      await readEvents(response, (_, data) => this.take(JSON.parse(data)));
    else if (response.status !== 202) this.take(JSON.parse(await response.text()));
  }
}

/** HTTP with SSE, of 2024-11-05. */
export class SseClient extends RawClient {
  readonly #ended = new AbortController();
  readonly #address: Promise<URL>;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(port: number) {
    super();
    const url = `http://127.0.0.1:${port}/sse`;
    this.#address = new Promise((resolve, reject) => {
      const take = (name: string, data: string) =>
        name === 'endpoint' ? resolve(new URL(data, url)) : this.take(JSON.parse(data));
      const { signal } = this.#ended;
      fetch(url, { headers: AUTHORIZED, signal }).then((response) => readEvents(response, take), reject);
    });
  }

  write(content: string | Uint8Array): void {
    const headers = { ...AUTHORIZED, 'Content-Type': 'application/json' };
    for (const body of texts(content))
      this.#sent = this.#sent.then(async () => {
        const { status } = await fetch(await this.#address, { method: 'POST', headers, body });
        if (status !== 202) this.over(`The message was answered by ${status}.`);
      });
  }

  end(): void {
    this.#ended.abort();
  }
}

export class WebSocketClient extends RawClient {
  readonly #socket: WebSocket;
  readonly #opened: Promise<unknown>;

  constructor(port: number) {
    super();
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { headers: AUTHORIZED });
    this.#opened = new Promise((resolve) => this.#socket.once('open', resolve));
    this.#socket.on('message', (data) => this.take(JSON.parse(`${data}`)));
    this.#socket.on('error', ({ message }) => this.over(message));
    this.#socket.on('close', (code) => this.over(`The socket was closed: ${code}.`));
  }

  write(content: string | Uint8Array): void {
    void this.#opened.then(() => {
      for (const text of texts(content)) this.#socket.send(text);
    });
  }

  end(): void {
    this.#socket.close();
  }
}
