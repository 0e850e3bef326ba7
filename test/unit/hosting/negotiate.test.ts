import assert from 'node:assert/strict';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../../src/core/json.ts';
import { negotiate, SlowModernError } from '../../../src/hosting/connection/negotiate.ts';
import { Peer } from '../../../src/hosting/connection/peer.ts';
import { holdClock } from '../../fakes/clock.ts';

const RESULTS: Record<string, object> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: {} },
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} },
};

/** A server that answers once it has been sent `initialize`, in this order. Other requests stay unanswered. */
class SlowServer implements Transport {
  readonly received: unknown[] = [];
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #order: readonly string[];
  readonly #open = new Map<unknown, unknown>();

  constructor(...order: string[]) {
    this.#order = order;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { method, id } = fieldsOf(message);
    this.received.push(method);
    this.#open.set(method, id);
    if (method === 'initialize') for (const one of this.#order) this.#answer(one);
  }

  #answer(method: string): void {
    const answer: Fields = { jsonrpc: '2.0', id: this.#open.get(method), result: RESULTS[method] };
    this.onmessage?.(answer as JSONRPCMessage);
  }

  async start(): Promise<void> {}
  async close(): Promise<void> {}
}

describe('hosting/negotiate: the negotiation with a server that starts slowly', () => {
  const clock = holdClock();

  const eraOf = async (server: SlowServer): Promise<string> => {
    const handlers = { request: async () => ({}), notification() {}, error() {}, close() {} };
    const us = { clientInfo: { name: 'test', version: '1' }, capabilities: {} };
    const agreed = negotiate(new Peer(server, handlers), us, { timeout: 60_000 });
    return (await clock.settle(agreed)).era;
  };

  it('does not take it for a legacy server, in whatever order the answers arrive together', async () => {
    await assert.rejects(eraOf(new SlowServer('server/discover', 'initialize')), SlowModernError);
    await assert.rejects(eraOf(new SlowServer('initialize', 'server/discover')), SlowModernError);
  });

  it('does not wait for server/discover once initialize is answered', async () => {
    const server = new SlowServer('initialize');
    assert.equal(await eraOf(server), 'legacy');
    assert.deepEqual(server.received, ['server/discover', 'initialize', 'notifications/initialized']);
  });
});
