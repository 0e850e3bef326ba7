/** A legacy server with input schemas that the APIs of models refuse. A tool answers with its arguments, as they came. */
import { serveLegacy } from './legacyServer.ts';

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

serveLegacy('schemas', {
  'tools/list': () => ({
    tools: Object.entries(inputs).map(([name, inputSchema]) => ({ name, inputSchema })),
  }),
  'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
});
