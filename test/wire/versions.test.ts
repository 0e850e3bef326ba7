import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';

describe('wire: protocol versions', () => {
  const machine = useMachine();

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', 'modern'])
    it(`${version}: the SDK's client lists, calls, reads and prompts`, async () => {
      const window = await machine.open({ trees: { ws: { 'a.txt': 'hello\n' } } });
      const client = await window.agent({ version });
      assert.equal(client.getNegotiatedProtocolVersion(), version === 'modern' ? '2026-07-28' : version);
      assert.ok((await client.listTools()).tools.length > 0);
      const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
      assert.deepEqual(content, [{ type: 'text', text: 'hello\n' }]);
      const uri = window.uri('a.txt');
      assert.ok((await client.listResources()).resources.some((one) => one.uri === uri));
      assert.partialDeepStrictEqual((await client.readResource({ uri })).contents, [
        { uri, text: 'hello\n' },
      ]);
      assert.ok((await client.listPrompts()).prompts.length > 0);
    });
});
