import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Connection, MODERN } from './agent.ts';

const METHODS = [
  'initialize ping tools/list tools/call resources/list resources/read resources/templates/list resources/subscribe',
  'resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel roots/list server/discover',
  'notifications/cancelled notifications/initialized tasks/get sampling/createMessage no/such',
]
  .join(' ')
  .split(' ');

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('echo', 'test:there', 'ref/prompt', null, -1, 2 ** 53),
);
const keys = fc.constantFrom(
  'name',
  'arguments',
  'uri',
  'cursor',
  'ref',
  'argument',
  'level',
  'requestId',
  '_meta',
  'x',
);
const meta = fc.dictionary(
  fc.constantFrom('progressToken', 'io.modelcontextprotocol/related-task', 'x'),
  value,
);
const params = fc.oneof(
  fc.record({ _meta: fc.oneof(meta, value), name: value, arguments: value, uri: value }),
  fc.dictionary(keys, value),
  fc.jsonValue(),
);

describe('protocol: whatever an agent sends', () => {
  for (const era of ['legacy', 'modern']) {
    it(`every request is answered once, and the next one still (${era})`, async function () {
      this.timeout(10_000);
      const connection = new Connection();
      if (era === 'legacy') await connection.initialize();
      else await connection.request('tools/list', { _meta: MODERN });
      const meta = era === 'legacy' ? {} : { _meta: MODERN };
      let id = 0;
      const property = fc.asyncProperty(fc.constantFrom(...METHODS), params, async (method, given) => {
        const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
        connection.write({
          jsonrpc: '2.0',
          id: ++id,
          method,
          params: isObject ? { ...given, ...meta } : given,
        });
        const { error } = await connection.answerTo(id);
        assert.equal(connection.received.filter((message) => message.id === id).length, 1);
        if (error)
          assert.ok(
            error.message.length < 2000 && error.code !== -32603,
            JSON.stringify({ method, given, error }),
          );
      });
      try {
        await fc.assert(property, { numRuns: 300 });
        assert.ok((await connection.request('tools/list', meta)).result);
      } finally {
        connection.close();
      }
    });
  }
});
