/** A legacy server with input schemas that the APIs of models refuse. A tool answers with its arguments, as they came. */
import { createInterface } from 'node:readline';

const integer = { type: 'integer' };
const inputs = {
  good: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: integer } },
  pick: {
    type: 'object',
    properties: { index: integer, x: integer },
    oneOf: [{ required: ['index'] }, { required: ['x'] }],
  },
  list: { type: 'object', properties: { $top: integer, 'uids[]': { type: 'array' } } },
  long: {
    type: 'object',
    properties: { filter: { type: 'object', properties: { ['k'.repeat(70)]: integer } } },
    required: ['filter'],
  },
  endless: { anyOf: [{ $ref: '#' }] },
};

const results: Record<string, (params: { arguments?: object }) => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'schemas', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.entries(inputs).map(([name, inputSchema]) => ({ name, inputSchema })),
  }),
  'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
