import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from './ledger.ts';
import { line, linesOf, many, message, modern } from './messages.ts';
import { ANY_VERSION } from './oracle.ts';
import { paramsFor } from './params.ts';
import { opening as openingOf } from './peer.ts';
import { count, holds } from './runs.ts';
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

/** Bytes that are no UTF-8: cut off, too long, a half of a surrogate pair, what never comes. */
const BROKEN = ['c3', 'f09f98', 'eda080', 'c080', 'ff', 'fe00', '80'].map((hex) => Buffer.from(hex, 'hex'));

/** A line with such bytes in it: behind its id, which has to come back as it was sent. */
const brokenLine = fc.tuple(message, fc.constantFrom(...BROKEN)).map(([value, bytes]) => {
  const text = jsonOf({ ...value, more: '@' });
  const at = text.lastIndexOf('@');
  return Buffer.concat([Buffer.from(text.slice(0, at)), bytes, Buffer.from(text.slice(at + 1))]);
});

describe('fuzz: JSON-RPC', () => {
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

  const eachIsAnswered = (version: string, lines: fc.Arbitrary<(string | Buffer)[]>, by = stage.connect) =>
    fc.asyncProperty(lines, (all) => stage.with(version, (peer) => peer.send(all), by));

  for (const version of VERSIONS)
    it(`${version}: each line gets what it is owed, once`, () =>
      holds(20, eachIsAnswered(version, linesOf(version))));

  it('2025-03-26: so does a line whose bytes are no UTF-8', () =>
    holds(5, eachIsAnswered('2025-03-26', many(fc.oneof(line, brokenLine)))));

  for (const version of ['2025-03-26', '2025-11-25'])
    it(`${version}, over HTTP: so does each line that is posted`, () =>
      holds(4, eachIsAnswered(version, linesOf(version), stage.connectByHttp)));

  for (const version of ['2025-03-26', '2026-07-28'])
    it(`${version}, through the shim: all that is piped in is answered before it exits, the last line without its end as well`, async () => {
      const first = JSON.stringify({ jsonrpc: '2.0', id: 'opening', ...openingOf(version) });
      const property = fc.asyncProperty(linesOf(version), async (given) => {
        const agent = stage.rawAgent();
        const ledger = new Ledger(version);
        for (const one of [first, ...given]) ledger.sent(one);
        count.sent += given.length;
        agent.write(`${first}\n`);
        await agent.answerTo('opening'); // from then on both sides know the version
        agent.write(given.join('\n'));
        assert.deepEqual(await agent.end(), { code: 0, stderr: '' });
        for (const message of agent.received) ledger.received(message);
        count.answered += agent.received.length;
        assert.deepEqual(ledger.missing, []);
        stage.requireUnharmed();
      });
      await holds(4, property);
    });
});
