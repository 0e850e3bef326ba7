import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Connection } from './agent.ts';

/** What a session may have gained for good, in bytes: its last calls, which the view shows. Each call sends 10 KB. */
const ALLOWANCE = 512 * 1024;

setFlagsFromString('--expose_gc');
const collect: () => void = runInNewContext('gc');

describe('protocol/heap: memory', () => {
  for (const version of ['2025-11-25', '2026-07-28']) {
    it(`${version}: is back at its baseline after 200 calls`, async () => {
      const agent = new Connection();
      const meta =
        version === '2026-07-28'
          ? {
              _meta: {
                'io.modelcontextprotocol/protocolVersion': version,
                'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            }
          : {};
      if (version !== '2026-07-28') await agent.initialize(version);
      const heap = async (calls: number): Promise<number> => {
        for (let count = 0; count < calls; count++) {
          await agent.request('tools/call', {
            name: 'echo',
            arguments: { say: 'x'.repeat(10_000) },
            ...meta,
          });
          agent.received.length = 0;
          agent.lines.length = 0;
        }
        await new Promise((resolve) => setTimeout(resolve, 200)); // the last call is noted soon after its answer
        collect();
        return process.memoryUsage().heapUsed;
      };
      const before = await heap(200); // what the engine compiles on the way is no leak
      const after = await heap(200);
      agent.close();
      assert.ok(after - before < ALLOWANCE, `${after - before} bytes more`);
    });
  }
});
