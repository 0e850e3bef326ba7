/** A legacy server whose tools would have the same name if what models do not take was only replaced. A tool answers with its own name. */
import { createInterface } from 'node:readline';

const results: Record<string, (params: { name: string }) => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  }),
  'tools/list': () => ({
    tools: ['a.b/c', 'a_b_c'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
