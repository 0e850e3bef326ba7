import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe('wire: protocol versions', () => {
  const machine = useMachine();

  for (const version of [...LEGACY, 'modern']) {
    it(`${version}: the SDK's client lists, calls, reads and prompts`, async () => {
      const window = await machine.open({ trees: { ws: { 'a.txt': 'hello\n' } } });
      const client = await window.agent({ version });
      assert.equal(client.getNegotiatedProtocolVersion(), version === 'modern' ? '2026-07-28' : version);
      assert.equal(client.getServerVersion()?.name, 'workspace-mcp');
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'read_file'));
      const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
      assert.deepEqual(content, [{ type: 'text', text: 'hello\n' }]);
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.filter(({ uri }) => uri.startsWith('file:')).map(({ name }) => name),
        ['ws', 'a.txt'],
      );
      const { contents } = await client.readResource({ uri: window.uri('a.txt') });
      assert.deepEqual(contents, [{ uri: window.uri('a.txt'), mimeType: 'text/plain', text: 'hello\n' }]);
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some(({ name }) => name === 'fix_problems'));
    });
  }
});
