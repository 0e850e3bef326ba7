/** A legacy server that changes what it offers: `change` says so, with the description in the file `description` beside it. */
import { readFileSync } from 'node:fs';
import { type Results, serveLegacy, write } from './legacyServer.ts';

const description = (): string => {
  try {
    return readFileSync('description', 'utf8');
  } catch {
    return 'First.';
  }
};

const uri = 'note://n';
let isFollowed = false;
const results: Results = {
  'tools/list': () => ({
    tools: ['change', 'touch'].map((name) => ({
      name,
      description: name === 'change' ? description() : 'Second.',
      inputSchema: { type: 'object' },
    })),
  }),
  'resources/list': () => ({ resources: [{ uri, name: 'n' }] }),
  'resources/read': () => ({ contents: [{ uri, text: description() }] }),
  'resources/subscribe': () => {
    isFollowed = true;
    return {};
  },
  'resources/unsubscribe': () => {
    isFollowed = false;
    return {};
  },
  'tools/call': () => ({ content: [{ type: 'text', text: description() }] }),
};

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} };
serveLegacy('changing', results, capabilities, ({ name }) => {
  if (name === 'change') write({ method: 'notifications/tools/list_changed' });
  if (name === 'touch' && isFollowed)
    write({ method: 'notifications/resources/updated', params: { uri, own: 1 } });
});
