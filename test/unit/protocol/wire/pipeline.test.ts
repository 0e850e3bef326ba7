import assert from 'node:assert/strict';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { Pipeline } from '../../../../src/protocol/wire/pipeline.ts';

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A server behind the pipeline, with nothing but texts on the agent's side: no stream, no lines. */
class Agent {
  readonly sent: string[] = [];
  unread = 0;
  ended = false;
  /** Whether requests are not answered. */
  isHeld = false;
  readonly pipeline = new Pipeline(
    {
      send: (text) => void this.sent.push(text),
      unread: () => this.unread,
      end: () => {
        this.ended = true;
      },
    },
    { onRequest: () => (this.isHeld ? new Promise(() => {}) : undefined), onEnd: () => {} },
  );

  constructor() {
    serveStdio(() => new Server({ name: 'test', version: '1' }, { capabilities: {} }), {
      transport: this.pipeline.transport,
      legacy: 'serve',
    });
  }

  /** What is sent for a message, in short. */
  async answers(...messages: unknown[]): Promise<unknown[]> {
    this.sent.length = 0;
    for (const message of messages)
      this.pipeline.take(typeof message === 'string' ? message : JSON.stringify(message, undefined, 2));
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    return this.sent.map((text) => short(JSON.parse(text)));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
const short = (value: any): unknown =>
  Array.isArray(value) ? value.map(short) : [value.id, value.error?.code ?? 'result'];

describe('protocol/wire/pipeline', () => {
  let agent: Agent;
  beforeEach(() => {
    agent = new Agent();
  });
  afterEach(() => agent.pipeline.close());

  it('takes whole messages, and sends whole answers', async () => {
    assert.deepEqual(await agent.answers(initialize('2025-03-26')), [[0, 'result']]);
    assert.deepEqual(await agent.answers('no JSON', { jsonrpc: '2.0', id: 1 }, ping(2), ping(2)), [
      [null, -32700],
      [1, -32600],
      [2, -32600],
      [2, 'result'],
    ]);
    assert.deepEqual(await agent.answers([ping('a'), 42]), [
      [
        [null, -32600],
        ['a', 'result'],
      ],
    ]);
  });

  it('refuses a message that is too long', async () => {
    const long = `{"jsonrpc":"2.0","id":"long","method":"x${'x'.repeat(MAX_LINE)}"}`;
    assert.deepEqual(await agent.answers(long), [['long', -32000]]);
  });

  it('counts the length of all that is open', async () => {
    agent.isHeld = true;
    for (let id = 0; id < 4; id++) agent.pipeline.take(JSON.stringify(ping(id)).padEnd(MAX_LINE));
    assert.deepEqual(await agent.answers(ping(4)), [[4, -32000]]);
  });

  it('says when the next message may be given', async () => {
    await agent.answers(initialize('2025-11-25'));
    assert.equal(agent.pipeline.take(JSON.stringify(ping(1))), undefined);
    agent.unread = 17 * 1024 * 1024;
    const later = agent.pipeline.take(JSON.stringify(ping(2)));
    assert.ok(later);
    agent.unread = 0;
    agent.pipeline.drained();
    await later;
    assert.equal(agent.pipeline.take(JSON.stringify(ping(3))), undefined);
  });

  it('ends with what carries it', () => {
    agent.pipeline.close();
    assert.equal(agent.ended, true);
    agent.pipeline.take('no JSON');
    assert.deepEqual(agent.sent, []);
  });
});
