import assert from 'node:assert/strict';
import type { Transport } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../../../src/core/json.ts';
import { HostedClient } from '../../../../src/hosting/connection/client.ts';
import { SlowModernError } from '../../../../src/hosting/connection/negotiate.ts';
import { holdClock } from '../../../fakes/clock.ts';

const RESULTS: Record<string, object> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: {} },
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} },
};

/** A server that answers once it has been sent `initialize`, in this order. Other requests stay unanswered. */
function slowServer(...order: string[]) {
  const open = new Map<unknown, unknown>();
  const transport: Transport = {
    async send(message) {
      const { method, id } = fieldsOf(message);
      open.set(method, id);
      for (const one of method === 'initialize' ? order : [])
        transport.onmessage?.({ jsonrpc: '2.0', id: open.get(one) as number, result: { ...RESULTS[one] } });
    },
    async start() {},
    async close() {},
  };
  return { transport, received: () => [...open.keys()] };
}

describe('hosting/connection/negotiate: the negotiation with a server that starts slowly', () => {
  const clock = holdClock();

  const eraOf = async ({ transport }: ReturnType<typeof slowServer>): Promise<string> => {
    const connected = HostedClient.connect(transport, { clientInfo: { name: 'test', version: '1' } });
    return (await clock.settle(connected)).era;
  };

  it('does not take it for a legacy server, in whatever order the answers arrive together', async () => {
    await assert.rejects(eraOf(slowServer('server/discover', 'initialize')), SlowModernError);
    await assert.rejects(eraOf(slowServer('initialize', 'server/discover')), SlowModernError);
  });

  it('does not wait for server/discover once initialize is answered', async () => {
    const server = slowServer('initialize');
    assert.equal(await eraOf(server), 'legacy');
    assert.deepEqual(server.received(), ['server/discover', 'initialize', 'notifications/initialized']);
  });
});
