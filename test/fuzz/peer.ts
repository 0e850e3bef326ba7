import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { Inbox } from './inbox.ts';
import { Ledger } from './ledger.ts';
import { ANY_VERSION } from './oracle.ts';
import type { Message } from './replies.ts';
import { count } from './runs.ts';

const PREFIX = 'io.modelcontextprotocol';
export const META = {
  [`${PREFIX}/protocolVersion`]: '2026-07-28',
  [`${PREFIX}/clientCapabilities`]: {},
};

/** The request that makes known which version is spoken. */
export function opening(protocolVersion: string): { method: string; params: object } {
  if (protocolVersion >= '2026') return { method: 'tools/list', params: { _meta: META } };
  const clientInfo = { name: 'fuzz', version: '1' };
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

/** The agent's end of a connection to a session, that checks whatever comes against what is owed. */
export class Peer {
  readonly #stream: Duplex;
  readonly #inbox: Inbox;
  readonly #ledger: Ledger;
  readonly #version: string;

  constructor(stream: Duplex, version: string) {
    this.#stream = stream;
    this.#version = version;
    this.#ledger = new Ledger(version);
    this.#inbox = new Inbox(stream, (message) => this.#take(message));
  }

  /** What the requests of this version carry. */
  get meta(): object {
    return this.#version.startsWith('2026') ? { _meta: META } : {};
  }

  /** Makes known which version is spoken. */
  async open(): Promise<void> {
    const { method, params } = opening(this.#version);
    const answer = await this.request(method, params);
    if (method !== 'initialize') return;
    assert.equal(answer.result?.protocolVersion, this.#version);
    this.#write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** Lines that were made up: counted, and judged by what comes for them. */
  async send(lines: readonly (string | Buffer)[]): Promise<void> {
    for (const line of lines) this.#ledger.sent(`${line}`);
    count.sent += lines.filter((line) => `${line}`.trim() !== '').length;
    this.#write(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
    await this.#untilPaid();
    // The session answers once more: nothing else may have come.
    const fence = await this.request('tools/list');
    // Where nothing has been agreed on, any answer is a sign of life.
    const isAlive = this.#version === ANY_VERSION ? fence : fence.result;
    assert.ok(isAlive, `the session lives no longer: ${JSON.stringify(fence).slice(0, 500)}`);
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = `own-${crypto.randomUUID()}`;
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...this.meta } });
    this.#ledger.sent(line);
    this.#write(`${line}\n`);
    await this.#untilPaid();
    return this.answerTo(id);
  }

  answerTo(id: unknown): Message {
    return this.#inbox.received.find((message) => message.id === id && !('method' in message));
  }

  close(): void {
    this.#stream.destroy();
  }

  #write(content: string | Buffer): void {
    this.#stream.write(content);
  }

  #take(message: Message): void {
    if (!('method' in message)) count.answered++;
    this.#ledger.received(message);
  }

  #untilPaid(): Promise<void> {
    const missing = () => this.#ledger.missing;
    return this.#inbox.until(
      () => missing().length === 0,
      () => JSON.stringify(missing()).slice(0, 1000),
    );
  }
}
