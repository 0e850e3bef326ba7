/** Lean clients of HTTP and WebSocket: they wait for the answer, and parse nothing of it. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocket } from 'ws';

export const TOKEN = 'bench';

const DATA = Buffer.from('data: {');

export class HttpClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });
  #session: string | undefined;
  #id = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async request(method: string, params: object): Promise<Buffer> {
    const body = await this.#post({ jsonrpc: '2.0', id: ++this.#id, method, params });
    const start = body.indexOf(DATA); // of events the last one, if it is no JSON
    return start < 0 ? body : body.subarray(start + 6, body.length - 2);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #post(message: object): Promise<Buffer> {
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(this.#session && { 'Mcp-Session-Id': this.#session }),
    };
    const place = { host: '127.0.0.1', port: this.#port, path: '/mcp' };
    const sent = request({ ...place, method: 'POST', headers, agent: this.#agent });
    sent.end(JSON.stringify(message));
    const [response] = await once(sent, 'response');
    this.#session ??= response.headers['mcp-session-id'];
    return buffer(response);
  }
}

export class WebSocketClient {
  readonly #socket: WebSocket;
  readonly #opened: Promise<unknown>;
  readonly #waiting = new Map<string, (answer: Buffer) => void>();
  #id = 0;

  constructor(port: number) {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { headers });
    this.#opened = once(this.#socket, 'open');
    this.#socket.on('message', (data: Buffer) => {
      const [, id = ''] = /^\{"jsonrpc":"2\.0","id":(\d+)/.exec(data.toString('latin1', 0, 64)) ?? [];
      this.#waiting.get(id)?.(data);
      this.#waiting.delete(id);
    });
  }

  async initialize(): Promise<void> {
    await this.#opened;
    const clientInfo = { name: 'bench', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  request(method: string, params: object): Promise<Buffer> {
    const id = `${++this.#id}`;
    const answer = new Promise<Buffer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }));
    return answer;
  }

  close(): void {
    this.#socket.terminate();
  }
}
