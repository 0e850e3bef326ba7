import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from './ledger.ts';
import { line, modern } from './messages.ts';
import { META } from './peer.ts';
import { count, holds } from './runs.ts';
import { useStage } from './stage.ts';

const opening = (version: string): string => {
  const clientInfo = { name: 'fuzz', version: '1' };
  const first =
    version >= '2026'
      ? { method: 'tools/list', params: { _meta: META } }
      : { method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } };
  return JSON.stringify({ jsonrpc: '2.0', id: 'opening', ...first });
};

describe('fuzz: through the shim', () => {
  const stage = useStage();

  for (const version of ['2025-03-26', '2026-07-28'])
    it(`${version}: all that is piped in is answered before it exits, the last line without its end as well`, async () => {
      const lines = fc.array(version >= '2026' ? modern(line) : line, {
        minLength: 1,
        maxLength: 60,
        size: 'max',
      });
      const property = fc.asyncProperty(lines, async (given) => {
        const agent = stage().window.rawAgent();
        const ledger = new Ledger(version);
        for (const one of [opening(version), ...given]) ledger.sent(one);
        count.sent += given.length;
        agent.write(`${opening(version)}\n`);
        await agent.answerTo('opening'); // from then on both sides know the version
        agent.write(given.join('\n'));
        assert.deepEqual(await agent.end(), { code: 0, stderr: '' });
        for (const message of agent.received) ledger.received(message);
        count.answered += agent.received.length;
        assert.deepEqual(ledger.missing, []);
        stage().requireUnharmed();
      });
      await holds(4, property);
    });
});
