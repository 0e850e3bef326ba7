/** A legacy server that changes what it offers: `change` says so, with the description in the file `description` beside it. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const write = (message: object) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

const description = (): string => {
  try {
    return readFileSync('description', 'utf8');
  } catch {
    return 'First.';
  }
};

const uri = 'note://n';
let isFollowed = false;
const results: Record<string, () => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
    serverInfo: { name: 'changing', version: '1' },
  }),
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

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.();
  if (params?.name === 'change') write({ method: 'notifications/tools/list_changed' });
  if (params?.name === 'touch' && isFollowed)
    write({ method: 'notifications/resources/updated', params: { uri, own: 1 } });
  write({ id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
});
