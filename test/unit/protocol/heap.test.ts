import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { holdClock } from '../../fakes/clock.ts';
import { Connection, MODERN } from './agent.ts';

/** What a session may have gained for good, in bytes: its last calls, which the view shows. Each call sends 10 KB. */
const ALLOWANCE = 512 * 1024;

setFlagsFromString('--expose_gc');
const collect: () => void = runInNewContext('gc');

describe('protocol/heap: memory', () => {
  const clock = holdClock();

  it('is back at its baseline after 100 calls', async () => {
    const agent = new Connection();
    const params = { name: 'echo', arguments: { say: 'x'.repeat(10_000) }, _meta: MODERN };
    const heap = async (): Promise<number> => {
      for (let count = 0; count < 100; count++) {
        await agent.request('tools/call', params);
        agent.received.length = 0;
        agent.lines.length = 0;
      }
      await clock.pass(1_000); // the last call is noted soon after its answer
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heap(); // what the engine compiles on the way is no leak
    const after = await heap();
    agent.close();
    assert.ok(after - before < ALLOWANCE, `${after - before} bytes more`);
  });
});
