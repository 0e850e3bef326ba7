import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from './ledger.ts';
import { linesOf } from './messages.ts';
import { opening } from './peer.ts';
import { count, holds } from './runs.ts';
import { useStage } from './stage.ts';

describe('fuzz: through the shim', () => {
  const stage = useStage();

  for (const version of ['2025-03-26', '2026-07-28'])
    it(`${version}: all that is piped in is answered before it exits, the last line without its end as well`, async () => {
      const first = JSON.stringify({ jsonrpc: '2.0', id: 'opening', ...opening(version) });
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
