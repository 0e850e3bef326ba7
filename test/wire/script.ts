import assert from 'node:assert/strict';
import type { Message, RawAgent } from './rawAgent.ts';

const PREFIX = 'io.modelcontextprotocol';

/** What each request of a version without a handshake carries. */
export const META = {
  [`${PREFIX}/protocolVersion`]: '2026-07-28',
  [`${PREFIX}/clientCapabilities`]: {},
  [`${PREFIX}/clientInfo`]: { name: 'modern', version: '1' },
};

type Era = 'legacy' | 'modern';

interface Step {
  id: string;
  method: string;
  params: Message;
}

/** One agent that goes through a session, and knows afterwards what became of each request. */
export class Script {
  readonly steps: readonly Step[];
  /** The markers that its edits leave in the file, by their ids. */
  readonly edits = new Map<string, string>();
  readonly #agent: RawAgent;
  readonly #era: Era;
  readonly #name: string;
  readonly #sent: Step[] = [];

  /** @param name of its own, made of letters. @param uri of `a.txt`, which it reads and edits */
  constructor(agent: RawAgent, { era, name, uri }: { era: Era; name: string; uri: string }) {
    this.#agent = agent;
    this.#era = era;
    this.#name = name;
    this.steps = this.#stepsFor(uri);
  }

  /** One after the other. */
  async run(): Promise<void> {
    while (this.#sent.length < this.steps.length) await this.takeNext();
  }

  /** Sends what is next, and waits for its answer. */
  async takeNext(): Promise<void> {
    const step = this.steps[this.#sent.length];
    if (step) await this.#take(step);
  }

  /** All at once, before a handshake has been answered; waits for one answer after the other. */
  async runAtOnce(): Promise<void> {
    const [first, ...rest] = this.steps as [Step, ...Step[]];
    this.#send(first);
    if (this.#era === 'legacy') this.#agent.notify('notifications/initialized');
    this.#send(...rest);
    for (const { id, method } of this.#sent) if (method !== LISTEN) await this.#agent.answerTo(id);
  }

  /**
   * Each request has one answer. What only reads has succeeded, and what edits has either succeeded, or it is said that this is
   * not known.
   *
   * @param content of the file at the end
   */
  check(content: string): void {
    for (const { id, method, params } of this.#sent) {
      if (method === LISTEN) continue;
      const answers = this.#agent.received.filter((message) => message.id === id && !message.method);
      assert.equal(answers.length, 1, `answers to ${method} ${params.name}`);
      const [answer] = answers;
      const said = `${method}: ${JSON.stringify(answer).slice(0, 300)}`;
      const marker = this.edits.get(id);
      const times = marker && content.split(marker).length - 1;
      if (!marker || !answer.error) assert.ok(answer.result && !answer.result.isError, said);
      else assert.match(answer.error.message, /unknown whether this took effect/);
      if (marker) assert.ok(times === 1 || (times === 0 && answer.error), `${times} edits by ${said}`);
    }
  }

  async #take(step: Step): Promise<Message> {
    this.#send(step);
    if (step.method === LISTEN) return this.#agent.notification('notifications/subscriptions/acknowledged');
    const answer = await this.#agent.answerTo(step.id);
    if (step.method === 'initialize') this.#agent.notify('notifications/initialized');
    return answer;
  }

  #send(...steps: Step[]): void {
    this.#sent.push(...steps);
    this.#agent.send(...steps.map((step) => ({ jsonrpc: '2.0', ...step })));
  }

  #stepsFor(uri: string): Step[] {
    const call = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const;
    const read = call('read_file', { path: 'a.txt' });
    const edit = call('edit_file', { path: 'a.txt', edits: [{ oldText: '#', newText: `#<${this.#name}>` }] });
    const clientInfo = { name: this.#name, version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
    const tools = ['tools/list', {}] as const;
    const legacy = [
      ...([['initialize', hello], tools, ['resources/subscribe', { uri }]] as const),
      ...([
        ['logging/setLevel', { level: 'error' }],
        ['ping', {}],
      ] as const),
    ];
    const modern = [['server/discover', {}], tools, [LISTEN, { notifications }]] as const;
    const own = this.#era === 'legacy' ? legacy : modern;
    return [...own, read, edit, read, ['resources/list', {}] as const].map(([method, params], index) =>
      this.#step(index, method, params),
    );
  }

  #step(index: number, method: string, params: Message): Step {
    const id = `${this.#name}-${index}`;
    if (params.name === 'edit_file') this.edits.set(id, params.arguments.edits[0].newText.slice(1));
    return { id, method, params: this.#era === 'modern' ? { ...params, _meta: META } : params };
  }
}

const LISTEN = 'subscriptions/listen';
