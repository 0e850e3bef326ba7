import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Splitter } from '../../src/util/splitter.ts';

/** A JSON-RPC message, or a batch's answer, as it came. */
// biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests are about
export type Message = any;

/** An agent that writes what a test says and reads what comes, with no SDK in between. */
export class RawAgent {
  /** Everything that has come, in order. */
  readonly received: Message[] = [];
  /** Results for what the server asks of its client, by method. */
  readonly answers = new Map<string, () => object>();
  /** Called with each message that comes. */
  onMessage: (message: Message) => void = () => {};
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #wake: () => void = () => {};
  #arrived = this.#nextArrival();
  #ended = false;
  #id = 0;
  #complaints = '';

  constructor(shim: string, options: { cwd: string; env: NodeJS.ProcessEnv; args?: readonly string[] }) {
    this.#child = spawn(process.execPath, [shim, ...(options.args ?? [])], options);
    this.#exited = once(this.#child, 'close').then(() => {
      this.#ended = true;
      this.#wake();
    });
    this.#child.stdin.on('error', () => {}); // it has exited: the tests see that by what is missing
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text;
    });
    // Not by node:readline: for that U+2028 ends a line as well.
    const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => {
      if (line === '') return; // at the end
      const message = JSON.parse(line);
      this.received.push(message);
      this.onMessage(message);
      const result = message.method && 'id' in message && this.answers.get(message.method)?.();
      if (result) this.send({ jsonrpc: '2.0', id: message.id, result });
      this.#wake();
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Each message on a line, all in one write. */
  send(...messages: Message[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  write(content: string | Uint8Array): void {
    this.#child.stdin.write(content);
  }

  /** Waits for the first message that fits, among those that have come as well. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`The shim ended without it. ${this.#complaints}`);
      await this.#arrived;
    }
  }

  /** The answer to a request that was sent. */
  answerTo(id: unknown): Promise<Message> {
    return this.until((message) => message.id === id && !('method' in message));
  }

  notification(method: string): Promise<Message> {
    return this.until((message) => message.method === method);
  }

  /** Sends a request and waits for its answer. */
  request(method: string, params?: object): Promise<Message> {
    const id = `r${++this.#id}`;
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return this.answerTo(id);
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  async initialize(protocolVersion = '2025-11-25', capabilities: object = {}): Promise<Message> {
    const clientInfo = { name: 'raw', version: '1' };
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  /** Says that nothing more comes, and waits for the process to end by itself. */
  async end(): Promise<{ code: number | null; stderr: string }> {
    this.#child.stdin.end();
    await this.#exited;
    return { code: this.#child.exitCode, stderr: this.#complaints };
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#arrived = this.#nextArrival(); // several may wait
        resolve();
      };
    });
  }
}
