import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { Splitter } from '../../src/core/text/lines.ts';
import { until } from '../until.ts';
import { META } from '../wire/script.ts';
import { Ledger } from './ledger.ts';
import { ANY_VERSION } from './oracle.ts';
import type { Message } from './replies.ts';
import { count } from './runs.ts';

/** What no message of the server may hold: it stands in files that are closed to agents. */
export const SECRET = 'c1osed-t0-agents';

/** The request that makes known which version is spoken. */
export function opening(protocolVersion: string): { method: string; params: object } {
  if (protocolVersion >= '2026') return { method: 'tools/list', params: { _meta: META } };
  const clientInfo = { name: 'fuzz', version: '1' };
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

/** The agent's end of a connection to a session, that checks whatever comes against what is owed. */
export class Peer {
  readonly #stream: Duplex;
  readonly #ledger: Ledger;
  readonly #version: string;
  readonly #received: Message[] = [];
  /** The first thing that is wrong with what has come. */
  #fault: unknown;

  constructor(stream: Duplex, version: string) {
    this.#stream = stream;
    this.#version = version;
    this.#ledger = new Ledger(version);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => this.#take(line));
    stream.on('error', () => {}); // seen by the end
    stream.on('data', (chunk: Buffer) => {
      try {
        lines.push(decoder.decode(chunk, { stream: true }));
      } catch (error) {
        this.#fault ??= error;
      }
    });
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
    return this.#received.find((message) => message.id === id && !('method' in message));
  }

  close(): void {
    this.#stream.destroy();
  }

  #write(content: string | Buffer): void {
    this.#stream.write(content);
  }

  #take(line: string): void {
    assert.ok(!line.includes(SECRET), `a secret has come: ${line.slice(0, 500)}`);
    const message = JSON.parse(line);
    this.#received.push(message);
    if (!('method' in message)) count.answered++;
    this.#ledger.received(message);
  }

  async #untilPaid(): Promise<void> {
    const isOver = () => this.#fault !== undefined || this.#stream.closed;
    const waiting = until(() => isOver() || this.#ledger.missing.length === 0, 'the answers');
    await waiting.catch(() => {}); // told below, with what is missing
    if (this.#fault) throw this.#fault;
    assert.deepEqual(this.#ledger.missing, [], 'no answer came, or the session has ended');
  }
}
