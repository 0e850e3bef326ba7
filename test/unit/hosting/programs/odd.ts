/** A legacy server whose tools would have the same name if what models do not take was only replaced. A tool answers with its own name. */
import { serveLegacy } from './legacyServer.ts';

serveLegacy('odd', {
  'tools/list': () => ({
    tools: ['a.b/c', 'a_b_c'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
});
