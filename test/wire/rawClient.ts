/** A JSON-RPC message, or a batch's answer, as it came. */
// biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests are about
export type Message = any;

/** A client that sends what a test says and keeps what comes, with no SDK in between. */
export abstract class RawClient {
  /** Everything that has come, in order. */
  readonly received: Message[] = [];
  /** Results for what the server asks of its client, by method. */
  readonly answers = new Map<string, () => object>();
  /** Called with each message that comes. */
  onMessage: (message: Message) => void = () => {};
  #wake: () => void = () => {};
  #arrived = this.#nextArrival();
  #problem: string | undefined;
  #id = 0;

  /** Sends the texts of messages, one a line. */
  abstract write(content: string | Uint8Array): void;

  /** Each message on a line, all in one write. */
  send(...messages: Message[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** Waits for the first message that fits, among those that have come as well. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      if (this.#problem !== undefined) throw new Error(this.#problem);
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

  /** A message has come. */
  protected take(message: Message): void {
    this.received.push(message);
    this.onMessage(message);
    const result = message.method && 'id' in message && this.answers.get(message.method)?.();
    if (result) this.send({ jsonrpc: '2.0', id: message.id, result });
    this.#wake();
  }

  /** Nothing more comes. @param problem of those who wait for something */
  protected over(problem: string): void {
    this.#problem = problem;
    this.#wake();
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
