import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { NotFoundError, UserError } from '../../../src/core/errors.ts';
import type { Call } from '../../../src/features/context.ts';
import type { Features } from '../../../src/features/features.ts';
import type { ResourceProvider } from '../../../src/features/resource.ts';
import { LOOKS_ONLY, type Tool, text } from '../../../src/features/tool.ts';
import type { Agent } from '../../../src/server/agent.ts';
import { Sessions } from '../../../src/server/sessions.ts';
import { Reports } from '../../../src/services/language/reports.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
export type Message = any;

export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A call of the tool `hold` that has begun, and how it ends. */
export interface Held {
  call: Call;
  finish(): void;
}

/** A server over a pair of streams with features made for the tests, and the agent's end of it. */
export class Connection {
  readonly fake: FakeVscode;
  readonly consent = new FakeConsent();
  readonly held: Held[] = [];
  readonly received: Message[] = [];
  /** Lines as they came. */
  readonly lines: string[] = [];
  readonly socket: Duplex;
  /** What the log was told, at the level of information. */
  readonly infos: string[] = [];
  agents: readonly Agent[] = [];
  onDidChangeCalls = (): unknown => undefined;
  readonly sessions: Sessions;
  #nextId = 0;

  constructor(options: { user?: Record<string, unknown>; features?: Partial<Features> } = {}) {
    this.fake = FakeVscode.create({ folders: [], user: options.user ?? {} });
    const features = { tools: this.#tools(), resources: [resources], prompts: [], ...options.features };
    this.sessions = new Sessions({
      window: {
        vscode: this.fake.api,
        id: () => 'test',
        extensionVersion: '0.0.0',
        windows: { list: async () => [] },
        log: { ...silent, info: (message) => this.infos.push(message) },
        consent: this.consent,
        reports: new Reports(this.fake.api),
      },
      onDidChangeAgents: (agents) => {
        this.agents = agents;
      },
      onDidChangeCalls: () => this.onDidChangeCalls(),
      features,
    });
    const [ours, theirs] = duplexPair();
    this.socket = ours;
    this.sessions.open(theirs, { resume: 'key' });
    let rest = '';
    ours.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
      this.received.push(...lines.map((line) => JSON.parse(line)));
      ours.emit('received');
    });
  }

  write(...messages: unknown[]): void {
    this.socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** The first message that fits, once it has come; mocha's time-out is the limit. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.received.find(fits);
      if (found) return found;
      await once(this.socket, 'received');
    }
  }

  answerTo(id: unknown): Promise<Message> {
    return this.next((message) => message.id === id && !message.method);
  }

  /** Sends a request of its own id, and waits for its answer. */
  async request(method: string, params?: object): Promise<Message> {
    const id = `own-${this.#nextId++}`;
    this.write({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return this.answerTo(id);
  }

  async initialize(
    protocolVersion = '2025-11-25',
    clientInfo: object = { name: 'test', version: '1' },
  ): Promise<Message> {
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Until all that was written before has been taken: an answer that does not come would have come by then. */
  async settle(modern = false): Promise<void> {
    for (let count = 0; count < 3; count++) await this.request('tools/list', modern ? { _meta: MODERN } : {});
  }

  close(): void {
    this.socket.destroy();
    this.sessions.dispose();
  }

  #tools(): Tool[] {
    const tool = (name: string, input: z.ZodObject, run: Tool['run']): Tool => ({
      name,
      title: name,
      description: name,
      group: name === 'edit' ? 'edit' : 'files',
      operation: name === 'edit' ? 'edit' : 'read',
      annotations: LOOKS_ONLY,
      input,
      run,
    });
    const hold = (_args: never, _ctx: unknown, call: Call) =>
      new Promise<CallToolResult>((resolve) => {
        this.held.push({ call, finish: () => resolve(text('finished')) });
      });
    return [
      tool('hold', z.strictObject({}), hold),
      tool('edit', z.strictObject({}), async () => text('edited')),
      tool(
        'echo',
        z.strictObject({ say: z.string(), times: z.int().max(1e7).default(1) }),
        async ({ say, times }: never) => text((say as string).repeat(times)),
      ),
      tool('refuse', z.strictObject({}), async () => {
        throw new UserError('Not so, but so.');
      }),
      tool('break', z.strictObject({}), async () => {
        throw new Error('the password is hunter2');
      }),
    ];
  }
}

const resources: ResourceProvider = {
  templates: [],
  list: async () => [],
  read: async (uri) => {
    if (uri === 'test:missing') throw new NotFoundError('It has gone.');
    return uri === 'test:there' ? { contents: [{ uri, text: 'there' }] } : undefined;
  },
  complete: async () => undefined,
  canonical: async (uri) => uri,
  watch: () => ({ dispose: () => {} }),
};
