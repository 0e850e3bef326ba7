import fc from 'fast-check';
import { message, modern } from './messages.ts';
import { ANY_VERSION } from './oracle.ts';
import { paramsFor } from './params.ts';
import { holds } from './runs.ts';
import { useStage, VERSIONS } from './stage.ts';
import { jsonOf, oddValue } from './values.ts';

const wellMade = fc.record({
  protocolVersion: fc.constantFrom(...VERSIONS, '2024-10-07', '2030-01-01', 'DRAFT'),
  capabilities: fc.constantFrom({}, { experimental: { x: true } }, { sampling: {} }),
  clientInfo: fc.constantFrom({ name: 'a', version: '1' }, { name: 'b', version: '2', title: 'B' }),
});

/** What opens a connection, or tries to. */
const opening = fc
  .tuple(
    fc.integer({ min: 0, max: 1e9 }),
    fc.constantFrom('initialize', 'initialize', 'initialize', 'server/discover', 'tools/list', 'ping'),
    fc.oneof(
      wellMade,
      paramsFor('initialize'),
      fc.dictionary(fc.constantFrom(...['protocolVersion', 'capabilities', 'clientInfo']), oddValue),
    ),
  )
  .map(([id, method, params]) => jsonOf({ jsonrpc: '2.0', id, method, params }));

describe('fuzz: how a connection begins', () => {
  const stage = useStage();

  it('whatever comes first, and second, gets what it is owed', async () => {
    const any = fc.oneof(opening, modern(opening), message.map(jsonOf), modern(message.map(jsonOf)));
    const lines = fc.array(any, { minLength: 1, maxLength: 8, size: 'max' });
    const property = fc.asyncProperty(lines, async (given) => {
      const peer = await stage.connect(ANY_VERSION);
      try {
        await peer.send(given);
      } finally {
        peer.close();
      }
      stage.requireUnharmed();
    });
    await holds(50, property);
  });
});
