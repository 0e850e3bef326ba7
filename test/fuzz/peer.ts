import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { Ledger } from './ledger.ts';
import { ANY_VERSION, type Era } from './oracle.ts';
import type { Message } from './replies.ts';
import { count } from './runs.ts';

/** How long an answer may take, in milliseconds: ripgrep has to start for some, on a machine with other work. */
const PATIENCE = 10_000;

/** What no answer may hold: it stands in files that are closed to agents. */
export const SECRET = 'c1osed-t0-agents';

const PREFIX = 'io.modelcontextprotocol';
export const META = {
  [`${PREFIX}/protocolVersion`]: '2026-07-28',
  [`${PREFIX}/clientCapabilities`]: {},
};

/** The agent's end of a connection to a session, that checks whatever comes against what is owed. */
export class Peer {
  readonly received: Message[] = [];
  /** Answers what the server asks of its client. */
  onAsked: (request: Message) => unknown = () => ({ roots: [] });
  readonly #stream: Duplex;
  readonly #ledger: Ledger;
  readonly #era: Era;
  #rest = '';
  #fault: unknown;
  #ended = false;
  readonly #news = new EventEmitter();

  constructor(stream: Duplex, era: Era) {
    this.#stream = stream;
    this.#era = era;
    this.#ledger = new Ledger(era);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    stream.on('data', (chunk: Buffer) =>
      this.#guarded(() => this.#push(decoder.decode(chunk, { stream: true }))),
    );
    stream.on('close', () => {
      this.#ended = true;
      this.#news.emit('news');
    });
    stream.on('error', () => {}); // seen by the end
  }

  /** What the requests of this era carry. */
  get meta(): object {
    return this.#era.version.startsWith('2026') ? { _meta: META } : {};
  }

  /** Makes known which version is spoken. */
  async open(capabilities: object = {}): Promise<void> {
    const { version } = this.#era;
    if (version >= '2026') return void (await this.request('tools/list'));
    const clientInfo = { name: 'fuzz', version: '1' };
    const answer = await this.request('initialize', { protocolVersion: version, capabilities, clientInfo });
    assert.equal(answer.result?.protocolVersion, version);
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** Lines that were made up: counted, and judged by what comes for them. */
  async send(lines: readonly string[]): Promise<void> {
    this.note(lines);
    this.write(lines.map((line) => `${line}\n`).join(''));
    await this.settled();
  }

  note(lines: readonly string[]): void {
    for (const line of lines) this.#ledger.sent(line);
    count.sent += lines.filter((line) => line.trim() !== '').length;
  }

  write(content: string | Uint8Array): void {
    this.#stream.write(content);
  }

  /** A call that was made up, by its answer. */
  async call(name: string, args: object): Promise<Message> {
    count.sent++;
    return this.request('tools/call', { name, arguments: args });
  }

  /** A part of the stream, which the other side reads before the next one comes. */
  async deliver(chunk: Uint8Array): Promise<void> {
    this.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Until everything that is owed has come, and the session has answered once more: nothing else may have come. */
  async settled(): Promise<void> {
    await this.#until(() => this.#ledger.missing.length === 0);
    const fence = await this.request('tools/list');
    // Where nothing has been agreed on, any answer is a sign of life.
    const isAlive = this.#era.version === ANY_VERSION ? fence : fence.result;
    assert.ok(isAlive, `the session lives no longer: ${JSON.stringify(fence).slice(0, 500)}`);
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = `fence-${crypto.randomUUID()}`;
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...this.meta } });
    this.#ledger.sent(line);
    this.write(`${line}\n`);
    await this.#until(() => this.#ledger.missing.length === 0);
    return this.answerTo(id);
  }

  answerTo(id: unknown): Message {
    return this.received.find((message) => message.id === id && !('method' in message));
  }

  close(): void {
    this.#stream.destroy();
  }

  #push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
    this.#news.emit('news');
  }

  #takeLine(line: string): void {
    assert.ok(!line.includes(SECRET), `a secret has come: ${line.slice(0, 500)}`);
    const message = JSON.parse(line);
    this.received.push(message);
    if (!('method' in message)) count.answered++;
    else if ('id' in message) this.#answer(message);
    this.#ledger.received(message);
  }

  #answer(request: Message): void {
    const answer = this.onAsked(request);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answer })}\n`);
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fault ??= error;
      this.#news.emit('news');
    }
  }

  async #until(isOver: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!this.#fault && !isOver()) {
      assert.ok(!this.#ended, `the session has ended; owed: ${this.#missing}`);
      assert.ok(performance.now() < end, `no answer came; owed: ${this.#missing}`);
      await once(this.#news, 'news', { signal: AbortSignal.timeout(PATIENCE) }).catch(() => {});
    }
    if (this.#fault) throw this.#fault;
  }

  get #missing(): string {
    return JSON.stringify(this.#ledger.missing).slice(0, 1000);
  }
}
